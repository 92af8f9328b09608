/**
 * The faults that write arguments, or an answer in JSON, as models write JSON that no parser accepts.
 *
 *     {"city":"Rome"}
 *     truncated-json    {"city":"Ro
 *     not-object        [{"city":"Rome"}]
 *     trailing-comma    {"city":"Rome",}
 *     single-quotes     {'city':'Rome'}
 *     code-fence        the same inside a Markdown code block
 */

import type { Random } from '../../lib/random/random.ts'
import { lastCut } from '../../lib/text/graphemes.ts'
import { isObject, parseJson } from '../../lib/text/json.ts'
import type { AssistantMessage } from '../turn/assistant-message.ts'
import { type Fault, faultWith, GENERATIONS, onMessage, type SemanticFault } from './fault.ts'

/** A text of a message that is JSON. */
export interface MessageJson {
  readonly text: string
  readonly value: unknown
  /** The JSON Schema that it was made for; undefined without one. */
  readonly schema: unknown
}

/** Returns the changed text; undefined when there is nothing to change. */
type Change = (json: MessageJson, random: Random) => string | undefined

/**
 * The message with the first JSON that `change` can change: an answer in JSON, or the arguments of a call; undefined when it
 * can change none.
 */
export function changeJson(message: AssistantMessage, random: Random, change: Change): AssistantMessage | undefined {
  const changed = (text: string, schema: unknown): string | undefined => {
    const value = parseJson(text)
    return value === undefined ? undefined : change({ text, value, schema }, random)
  }
  if (message.type === 'refusal') return undefined
  if (message.type === 'text') {
    const text = changed(message.text, message.schema)
    return text === undefined ? undefined : { ...message, text }
  }
  for (const [index, call] of message.calls.entries()) {
    const input = changed(call.input, call.schema)
    if (input !== undefined) return { type: 'calls', calls: message.calls.with(index, { ...call, input }) }
  }
  return undefined
}

/** True for an object or an array. */
export const isStructure = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A fault of JSON that is an object or an array. */
export const structureFault = (name: string, summary: string, needs: string, change: Change): SemanticFault =>
  onMessage(name, summary, needs, (message, _, random) =>
    changeJson(message, random, (json) => (isStructure(json.value) ? change(json, random) : undefined)),
  )

/** Apart from the list below, because semantic-faults.ts lists it elsewhere: the docs name the faults in this order. */
export const truncatedJson = structureFault(
  'truncated-json',
  'JSON, or the arguments of a call, that stops in the middle although finish_reason says it is complete.',
  'an answer in JSON (a response_format, or a tool call with arguments)',
  ({ text }, random) => {
    // The start of an object or array is never valid JSON.
    const half = Math.floor(text.length / 2)
    return text.slice(0, lastCut(text, half + random.below(text.length - half)))
  },
)

const notObject = faultWith({
  kind: 'semantic',
  name: 'not-object',
  summary: 'The object of the arguments, or of an answer in JSON, inside an array or as a string.',
  options: { as: { kind: 'choice', of: ['array', 'string'], summary: 'which of the two; drawn when left out' } },
  endpoints: GENERATIONS,
  needs: 'a tool call, or an answer in JSON, that is an object',
  message: (message, _, random, { as = random.below(2) === 0 ? 'array' : 'string' }) =>
    changeJson(message, random, ({ text, value }) => {
      if (!isObject(value)) return undefined
      return as === 'array' ? `[${text}]` : JSON.stringify(text)
    }),
})

// Not one alternative for each character: long texts would overflow the stack.
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"/g

export const jsonSyntaxFaults: readonly Fault[] = [
  notObject,
  structureFault(
    'trailing-comma',
    'Arguments, or an answer in JSON, with a comma after the last property.',
    'a tool call, or an answer in JSON, with a property or an item',
    ({ text, value }) => {
      const whole = text.trimEnd()
      return Object.keys(value as object).length === 0 ? undefined : `${whole.slice(0, -1)},${whole.at(-1)}`
    },
  ),
  structureFault(
    'single-quotes',
    'Arguments, or an answer in JSON, with single quotes around names and texts, as Python writes them.',
    'a tool call, or an answer in JSON, with a name or a text',
    ({ text }) => {
      if (!text.includes('"')) return undefined
      return text.replace(STRING, (_, inner: string) => {
        const requoted = inner.replace(/\\.|'/g, (match) => (match === '\\"' ? '"' : match === "'" ? "\\'" : match))
        return `'${requoted}'`
      })
    },
  ),
  structureFault(
    'code-fence',
    'Arguments, or an answer in JSON, inside a Markdown code block.',
    'a tool call, or an answer in JSON, that is an object or an array',
    ({ text }) => `\`\`\`json\n${text}\n\`\`\``,
  ),
]
