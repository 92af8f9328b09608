/**
 * Tools as the service writes them into the prompt. The older models by the formula of the OpenAI cookbook ("How to
 * count tokens with tiktoken"), exact on the recorded calls; reasoning models as TypeScript with a fixed preamble, as
 * the format "harmony" of the open models has it, within one token of the recorded calls.
 */

import { isObject, type JsonObject, toText } from '../../../lib/text/json.ts'
import type { Tool } from '../../../protocol/request/tools.ts'
import type { PromptPart } from './prompt-part.ts'

const HARMONY_PREAMBLE = 85
const CLOSING = 12
const FUNCTION = 7
const PROPERTIES = 3
const PROPERTY = 3
const ENUM = -3
const ENUM_VALUE = 3

/** The parts of one or more tools. They are equal only if the whole declarations are, of which these are the outline. */
export function toolParts(tools: readonly Tool[], isReasoning: boolean): PromptPart[] {
  const inserts = [{ at: 0, kind: 'other', tokens: 0, identity: tools }] as const
  if (isReasoning) return [{ frame: HARMONY_PREAMBLE, text: inTypeScript(tools), inserts }]
  const parts: PromptPart[] = [{ frame: CLOSING, text: '', inserts }]
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

function inTypeScript(tools: readonly Tool[]): string {
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
