/**
 * Tools as the service writes them into the prompt, which costs tokens:
 *
 *   a chat of an older model       `get_weather:Get the weather` `city:string:The city`, by the formula of the OpenAI cookbook
 *                                  ("How to count tokens with tiktoken"); exact on the recorded calls
 *   a chat of a reasoning model    TypeScript, as the format "harmony" of the open models has it, after a fixed preamble;
 *                                  within one token of the recorded calls
 *   a responses call               TypeScript with types inside of types; most recorded calls exactly
 */

import { isObject, type JsonObject, objectsIn, toText } from '../../../lib/text/json.ts'
import type { Tool, Tools } from '../../../protocol/turn/turn.ts'

/** The choice of tools of a responses call, as far as it counts. */
export type ToolChoice = Pick<Tools, 'isForced' | 'isParallel'>

/** A text of the prompt, and the tokens before it that are not text. */
interface ToolPart {
  readonly frame: number
  readonly text: string
}

/** The parts of one or more tools. @param choice that of a responses call; undefined in a chat. */
export function toolParts(
  tools: readonly Tool[],
  isReasoning: boolean,
  choice: ToolChoice | undefined,
): readonly ToolPart[] {
  if (choice === undefined)
    return isReasoning ? [{ frame: HARMONY_PREAMBLE, text: declareInReasoningChat(tools) }] : outlineParts(tools)
  const { isForced, isParallel } = choice
  // Besides their declarations, the tools of a responses call count these tokens, which fit the recorded calls.
  let frame = (isForced ? 7 : -3) + (isParallel ? 0 : 21)
  if (isReasoning) {
    const undescribed = tools.filter(({ description }) => description === '').length
    const strict = tools.filter(({ isStrict }) => isStrict).length
    frame = 3 - undescribed - strict + (isParallel ? 0 : 78)
  }
  return [{ frame, text: declareTools(tools, !isReasoning) }]
}

/** The tools of a responses call as TypeScript. @param hasTitles true if the `title` of a property or an object is a comment, too. */
export function declareTools(tools: readonly Tool[], hasTitles: boolean): string {
  const types = tools.map(({ name, description, schema }) => {
    const comment = description === '' ? '' : `// ${description}\n`
    const takesArguments = isObject(schema) && isObject(schema.properties) && Object.keys(schema.properties).length > 0
    const argument = takesArguments ? `_: ${typeText(schema, hasTitles, 0)}` : ''
    return `${comment}type ${name} = (${argument}) => any;\n\n`
  })
  return `# Tools\n\n## functions\n\nnamespace functions {\n\n${types.join('')}} // namespace functions`
}

/** The comments before a property or an object. */
function commentsOf({ title, description }: JsonObject, hasTitles: boolean): string {
  const lines = [hasTitles ? title : undefined, description].filter((line) => typeof line === 'string' && line !== '')
  return lines.map((line) => `// ${line}\n`).join('')
}

/** A schema of more levels counts as `any` below them. */
const MAX_LEVELS = 100

/** The TypeScript of a schema: `{ type: 'array', items: { type: 'string' } }` is `string[]`. */
function typeText(schema: JsonObject, hasTitles: boolean, level: number): string {
  if (level > MAX_LEVELS) return 'any'
  const inner = (part: JsonObject): string => typeText(part, hasTitles, level + 1)
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

/* Chats. */

// Tokens besides the texts, by the formula of the cookbook; the preamble as recorded.
const HARMONY_PREAMBLE = 85
const CLOSING = 12
const FUNCTION = 7
const PROPERTIES = 3
const PROPERTY = 3
const ENUM = -3
const ENUM_VALUE = 3

/** The tools of a chat of an older model: a text for each function, each property, and each value of an enum. */
function outlineParts(tools: readonly Tool[]): readonly ToolPart[] {
  const parts: ToolPart[] = [{ frame: CLOSING, text: '' }]
  const withoutStop = (text: unknown): string => toText(text ?? '').replace(/\.$/, '')
  for (const { name, description, schema } of tools) {
    const properties = propertiesOf(schema)
    const frame = properties.length > 0 ? FUNCTION + PROPERTIES : FUNCTION
    parts.push({ frame, text: `${name}:${withoutStop(description)}` })
    for (const [key, property] of properties) {
      const values = Array.isArray(property.enum) ? property.enum : undefined
      parts.push({
        frame: values === undefined ? PROPERTY : PROPERTY + ENUM + ENUM_VALUE * values.length,
        text: `${key}:${toText(property.type)}:${withoutStop(property.description)}`,
      })
      // Pushed one by one: an enum may have 400,000 values, too many arguments for one push.
      for (const value of values ?? []) parts.push({ frame: 0, text: toText(value) })
    }
  }
  return parts
}

/** The tools of a chat of a reasoning model as TypeScript. */
function declareInReasoningChat(tools: readonly Tool[]): string {
  const types = tools.map(({ name, description, schema }) => {
    const required = new Set<unknown>(isObject(schema) && Array.isArray(schema.required) ? schema.required : [])
    const fields = propertiesOf(schema).map(([key, property]) => {
      const comment = typeof property.description === 'string' ? `// ${property.description}\n` : ''
      const values = Array.isArray(property.enum) ? property.enum.map((value) => JSON.stringify(value)) : []
      const type = values.length > 0 ? values.join(' | ') : toText(property.type)
      return `${comment}${key}${required.has(key) ? '' : '?'}: ${type},\n`
    })
    return `// ${description}\ntype ${name} = (_: {\n${fields.join('')}}) => any;\n`
  })
  return `# Tools\n\n## functions\n\nnamespace functions {\n\n${types.join('\n')}\n} // namespace functions`
}

function propertiesOf(schema: unknown): [string, JsonObject][] {
  const properties = isObject(schema) && isObject(schema.properties) ? schema.properties : {}
  return Object.entries(properties).filter((entry): entry is [string, JsonObject] => isObject(entry[1]))
}
