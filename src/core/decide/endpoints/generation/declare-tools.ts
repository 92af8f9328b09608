/**
 * Tools as the service writes them into the prompt of a responses call: TypeScript, as the format "harmony" of the open
 * models has it. The tokens fit the recorded calls, most of them exactly.
 */

import { isObject, type JsonObject, objectsIn, toText } from '../../../lib/text/json.ts'
import type { Tool, Tools } from '../../../protocol/turn/turn.ts'

export type ToolChoice = Pick<Tools, 'isForced' | 'isParallel'>

/**
 * The choice of tools, as far as it counts: a list of allowed tools that demands a call counts nothing.
 * @param choice the `tool_choice` of the request.
 */
export const choiceOf = ({ isForced, isNamed, isParallel }: Tools, choice: unknown): ToolChoice => ({
  isForced: isForced && (isNamed || choice === 'required'),
  isParallel,
})

/** The tokens of one or more tools besides their declarations. */
export function frameOfTools(
  tools: readonly Tool[],
  isReasoning: boolean,
  { isForced, isParallel }: ToolChoice,
): number {
  if (!isReasoning) return (isForced ? 7 : -3) + (isParallel ? 0 : 21)
  const undescribed = tools.filter(({ description }) => description === '').length
  const strict = tools.filter(({ isStrict }) => isStrict).length
  return 3 - undescribed - strict + (isParallel ? 0 : 78)
}

/** @param hasTitles true if the `title` of a property or an object is a comment, too. */
export function declareTools(tools: readonly Tool[], hasTitles: boolean): string {
  const types = tools.map(({ name, description, schema }) => {
    const comment = description === '' ? '' : `// ${description}\n`
    const argument = isObject(schema) && hasProperties(schema) ? `_: ${typeText(schema, hasTitles, 0)}` : ''
    return `${comment}type ${name} = (${argument}) => any;\n\n`
  })
  return `# Tools\n\n## functions\n\nnamespace functions {\n\n${types.join('')}} // namespace functions`
}

const hasProperties = ({ properties }: JsonObject): boolean =>
  isObject(properties) && Object.keys(properties).length > 0

/** The comments before a property or an object. */
function commentsOf({ title, description }: JsonObject, hasTitles: boolean): string {
  const lines = [hasTitles ? title : undefined, description].filter((line) => typeof line === 'string' && line !== '')
  return lines.map((line) => `// ${line}\n`).join('')
}

/** A schema of more levels counts as `any` below them. */
const MAX_LEVELS = 100

function typeText(schema: JsonObject, hasTitles: boolean, level: number): string {
  if (level > MAX_LEVELS) return 'any'
  const inner = (one: JsonObject): string => typeText(one, hasTitles, level + 1)
  const { type, enum: values, anyOf, items, properties, required } = schema
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(anyOf)) return objectsIn(anyOf).map(inner).join(' | ')
  if (Array.isArray(type)) return [...new Set(type)].map((one) => inner({ ...schema, type: one })).join(' | ')
  if (type === 'array') {
    if (!isObject(items)) return 'any[]'
    const item = inner(items)
    return items.type === 'object' ? `Array<${item}>` : `${item}[]`
  }
  // Only once in a list of types: otherwise the text would grow with the power of the levels.
  if (!isObject(properties) || (type !== undefined && type !== 'object'))
    return type === undefined ? 'any' : toText(type)
  const needed = new Set<unknown>(Array.isArray(required) ? required : [])
  const fields = Object.entries(properties).map(([key, property]) => {
    if (!isObject(property)) return ''
    const { default: value } = property
    const comment = value === undefined ? '' : ` // default: ${JSON.stringify(value)}`
    const optional = needed.has(key) ? '' : '?'
    return `${commentsOf(property, hasTitles)}${key}${optional}: ${inner(property)},${comment}\n`
  })
  return `${commentsOf(schema, hasTitles)}{\n${fields.join('')}}`
}
