/** The model declines to answer: no content, the text in `refusal`. */
import type { SemanticFault } from '../fault.ts'

export const refusal: SemanticFault = {
  kind: 'semantic',
  name: 'refusal',
  summary: 'A refusal: no content, the text in `refusal`, with finish_reason stop.',
  options: {},
  endpoint: 'chat',
  needs: 'a chat completion',
  message: () => ({ type: 'refusal', text: "I'm sorry, but I can't help with that." }),
}
