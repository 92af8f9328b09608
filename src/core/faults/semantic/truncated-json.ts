/** JSON that breaks off in the middle, and a finish_reason that says it is whole. */

import type { Random } from '../../random/random.ts'
import { lastCut } from '../../text/graphemes.ts'
import type { SemanticFault } from '../fault.ts'
import { transformJson } from './transform-json.ts'

export const truncatedJson: SemanticFault = {
  kind: 'semantic',
  name: 'truncated-json',
  summary: 'JSON, or the arguments of a call, that breaks off in the middle though finish_reason says it is whole.',
  options: {},
  endpoint: 'chat',
  needs: 'an answer in JSON (a response_format, or a call with arguments)',
  speech: (speech, _, random) => transformJson(speech, (text) => broken(text, random)),
}

/** The beginning of an object or list, which is never JSON itself; undefined for other texts. */
function broken(text: string, random: Random): string | undefined {
  if (!/^\s*[[{]/.test(text) || !isJson(text)) return undefined
  const half = Math.floor(text.length / 2)
  return text.slice(0, lastCut(text, half + random.below(text.length - half)))
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
