/** The model declines to answer: no content, its words in `refusal`. */
import type { SemanticFault } from '../fault.ts'

export const refusal: SemanticFault = {
  kind: 'semantic',
  name: 'refusal',
  summary: 'A refusal: no content, the words of it in `refusal`, finish_reason stop.',
  options: {},
  endpoint: 'chat',
  needs: 'a chat',
  speech: () => ({ type: 'refusal', text: "I'm sorry, but I can't help with that." }),
}
