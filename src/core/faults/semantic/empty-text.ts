/** The model says nothing at all, and ends as if all were well. */
import type { SemanticFault } from '../fault.ts'

export const emptyText: SemanticFault = {
  kind: 'semantic',
  name: 'empty-text',
  summary: 'An empty text where an answer should be, finish_reason stop.',
  options: {},
  endpoint: 'chat',
  needs: 'a chat',
  speech: () => ({ type: 'text', text: '' }),
}
