/** The faults that write arguments, or an answer in JSON, as models write JSON that no parser accepts. */

import { lastCut } from '../../lib/text/graphemes.ts'
import { isObject } from '../../lib/text/json.ts'
import { CHAT_FAULT, type Fault, faultWith, type SemanticFault } from './fault.ts'
import { type JsonText, transformStructure } from './transform-json.ts'

export const truncatedJson: SemanticFault = {
  ...CHAT_FAULT,
  name: 'truncated-json',
  summary: 'JSON, or the arguments of a call, that stops in the middle although finish_reason says it is complete.',
  needs: 'an answer in JSON (a response_format, or a tool call with arguments)',
  message: (message, _, random) =>
    transformStructure(message, ({ text }) => {
      // The start of an object or array is never valid JSON.
      const half = Math.floor(text.length / 2)
      return text.slice(0, lastCut(text, half + random.below(text.length - half)))
    }),
}

/** A fault that changes how the JSON is written. */
const syntax = (
  name: string,
  summary: string,
  needs: string,
  rewrite: (json: JsonText) => string | undefined,
): SemanticFault => ({
  kind: 'semantic',
  name,
  summary,
  options: {},
  endpoint: 'chat',
  needs: `a tool call, or an answer in JSON, ${needs}`,
  message: (message) => transformStructure(message, rewrite),
})

const notObject = faultWith({
  kind: 'semantic',
  name: 'not-object',
  summary: 'The object of the arguments, or of an answer in JSON, inside an array or as a string.',
  options: { as: { kind: 'choice', of: ['array', 'string'], summary: 'which of the two; drawn when left out' } },
  endpoint: 'chat',
  needs: 'a tool call, or an answer in JSON, that is an object',
  message: (message, _, random, { as = random.below(2) === 0 ? 'array' : 'string' }) =>
    transformStructure(message, ({ text, value }) => {
      if (!isObject(value)) return undefined
      return as === 'array' ? `[${text}]` : JSON.stringify(text)
    }),
})

export const jsonSyntaxFaults: readonly Fault[] = [
  notObject,
  syntax(
    'trailing-comma',
    'Arguments, or an answer in JSON, with a comma after the last property.',
    'with a property or an item',
    ({ text, value }) => {
      const whole = text.trimEnd()
      return Object.keys(value as object).length === 0 ? undefined : `${whole.slice(0, -1)},${whole.at(-1)}`
    },
  ),
  syntax(
    'single-quotes',
    'Arguments, or an answer in JSON, with single quotes around names and texts, as Python writes them.',
    'with a name or a text',
    ({ text }) => (text.includes('"') ? text.replace(STRING, (_, inner: string) => `'${requote(inner)}'`) : undefined),
  ),
  syntax(
    'code-fence',
    'Arguments, or an answer in JSON, inside a Markdown code block.',
    'that is an object or an array',
    ({ text }) => `\`\`\`json\n${text}\n\`\`\``,
  ),
]

// Not one alternative for each character: long texts would overflow the stack.
const STRING = /"([^"\\]*(?:\\.[^"\\]*)*)"/g

/** The inside of a JSON string, for single quotes around it. */
const requote = (inner: string): string =>
  inner.replace(/\\.|'/g, (match) => (match === '\\"' ? '"' : match === "'" ? "\\'" : match))
