/** JSON that stops in the middle, with a finish_reason that says it is complete. */

import type { Random } from '../../random/random.ts'
import { lastCut } from '../../text/graphemes.ts'
import { parseJson } from '../../text/json.ts'
import type { SemanticFault } from '../fault.ts'
import { transformJson } from './transform-json.ts'

export const truncatedJson: SemanticFault = {
  kind: 'semantic',
  name: 'truncated-json',
  summary: 'JSON, or the arguments of a call, that stops in the middle although finish_reason says it is complete.',
  options: {},
  endpoint: 'chat',
  needs: 'an answer in JSON (a response_format, or a tool call with arguments)',
  message: (message, _, random) => transformJson(message, (text) => truncateJson(text, random)),
}

/** The start of an object or list, which is never valid JSON; undefined for other texts. */
function truncateJson(text: string, random: Random): string | undefined {
  if (!/^\s*[[{]/.test(text) || parseJson(text) === undefined) return undefined
  const half = Math.floor(text.length / 2)
  return text.slice(0, lastCut(text, half + random.below(text.length - half)))
}
