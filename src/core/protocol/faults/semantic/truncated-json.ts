/** JSON that stops in the middle, with a finish_reason that says it is complete. */

import type { Random } from '../../../lib/random/random.ts'
import { lastCut } from '../../../lib/text/graphemes.ts'
import type { SemanticFault } from '../fault.ts'
import { transformStructure } from './transform-json.ts'

export const truncatedJson: SemanticFault = {
  kind: 'semantic',
  name: 'truncated-json',
  summary: 'JSON, or the arguments of a call, that stops in the middle although finish_reason says it is complete.',
  options: {},
  endpoint: 'chat',
  needs: 'an answer in JSON (a response_format, or a tool call with arguments)',
  message: (message, _, random) => transformStructure(message, ({ text }) => truncate(text, random)),
}

/** The start of an object or array, which is never valid JSON. */
function truncate(text: string, random: Random): string {
  const half = Math.floor(text.length / 2)
  return text.slice(0, lastCut(text, half + random.below(text.length - half)))
}
