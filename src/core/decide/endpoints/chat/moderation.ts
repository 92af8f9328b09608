/** The moderation of a chat that asks for it: nothing is flagged, and the scores are low ones from the seed. */

import type { Random } from '../../../lib/random/random.ts'
import { isObject, type JsonObject, objectsIn } from '../../../lib/text/json.ts'
import type { CallContext } from '../../call/call-context.ts'

/** The categories of omni-moderation, and whether it applies them to images too. */
const CATEGORIES: Readonly<Record<string, boolean>> = {
  harassment: false,
  'harassment/threatening': false,
  hate: false,
  'hate/threatening': false,
  illicit: false,
  'illicit/violent': false,
  'self-harm': true,
  'self-harm/intent': true,
  'self-harm/instructions': true,
  sexual: true,
  'sexual/minors': false,
  violence: true,
  'violence/graphic': true,
}
const NAMES = Object.keys(CATEGORIES)
/** Scores are below this. */
const MAX_SCORE = 0.001
const DIGITS = 1e8

/** The JSON of `moderation`; undefined when the request does not ask for it. */
export function moderationJson(context: CallContext): string | undefined {
  const { moderation } = context.body
  if (!isObject(moderation)) return undefined
  const model = moderation.model as string
  const random = context.random('moderation')
  const input = resultsOf(model, hasImages(context.body), random)
  const output = resultsOf(model, false, random)
  return JSON.stringify({ input, output })
}

const hasImages = ({ messages }: JsonObject): boolean =>
  objectsIn(messages).some(({ content }) => objectsIn(content).some(({ type }) => type === 'image_url'))

function resultsOf(model: string, hasImage: boolean, random: Random): object {
  const byCategory = <Value>(read: (name: string) => Value): Record<string, Value> =>
    Object.fromEntries(NAMES.map((name) => [name, read(name)]))
  const result = {
    type: 'moderation_result',
    model,
    flagged: false,
    categories: byCategory(() => false),
    category_scores: byCategory(() => Math.round(random.fraction() * MAX_SCORE * DIGITS) / DIGITS),
    category_applied_input_types: byCategory((name) => (hasImage && CATEGORIES[name] ? ['text', 'image'] : ['text'])),
  }
  return { type: 'moderation_results', model, results: [result] }
}
