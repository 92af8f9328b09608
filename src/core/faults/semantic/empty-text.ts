/** An answer without text that ends as if it were complete. */
import type { SemanticFault } from '../fault.ts'

export const emptyText: SemanticFault = {
  kind: 'semantic',
  name: 'empty-text',
  summary: 'An empty text in place of an answer, with finish_reason stop.',
  options: {},
  endpoint: 'chat',
  needs: 'a chat completion',
  message: () => ({ type: 'text', text: '' }),
}
