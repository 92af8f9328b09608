/** The field `moderation` of a chat: scores for the request and for the answer, none of which is flagged. */

import { isObject, objectsIn } from '../../lib/text/json.ts'
import type { CallContext } from '../call/call-context.ts'

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
  const { moderation, messages } = context.request.body
  if (!isObject(moderation)) return undefined
  const model = moderation.model as string
  const random = context.draws.random('moderation')
  const byCategory = <Value>(read: (name: string) => Value): Record<string, Value> =>
    Object.fromEntries(NAMES.map((name) => [name, read(name)]))
  const resultsWith = (hasImage: boolean): object => {
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
  const hasImages = objectsIn(messages).some(({ content }) =>
    objectsIn(content).some(({ type }) => type === 'image_url'),
  )
  return JSON.stringify({ input: resultsWith(hasImages), output: resultsWith(false) })
}
