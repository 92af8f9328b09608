/** Renders the JSON Schema of scenarios as TypeScript types with documentation: src/generated/scenario-input.ts. */

import { DURATION_PATTERN, WINDOWS } from '../src/core/lib/text/duration.ts'
import { OPTION_NAMES } from '../src/core/scenario/compile/fault-settings.ts'
import { CALL_COUNT_PATTERN } from '../src/core/scenario/compile/states.ts'
import { takesPatterns } from '../src/core/scenario/conditions/condition-table.ts'

interface Schema {
  readonly type?: string
  readonly description?: string
  /** The name of the type of a function. */
  readonly inCode?: string
  readonly enum?: readonly (string | number)[]
  readonly pattern?: string
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  /** Those of the quantiles of a duration. */
  readonly patternProperties?: Readonly<Record<string, Schema>>
}

/** The objects that get a name, by their whole path after a slash, or by its last step. */
const NAMES: Readonly<Record<string, string>> = {
  '': 'ScenarioInput',
  'replies[]': 'ReplyInput',
  when: 'Conditions',
  answer: 'RecordedAnswerInput',
  'faults[]': 'FaultInput',
  'keys{}': 'KeySettings',
  'models{}': 'ModelSettings',
  '/limits': 'ScenarioLimitsInput',
  limits: 'LimitsInput',
  budget: 'BudgetInput',
  prices: 'PricesInput',
  pace: 'PaceInput',
  firstToken: 'SpreadInput',
  'states{}': 'StateSettings',
  expect: 'ExpectInput',
}

/** Texts whose form TypeScript can check, by their pattern. */
const TEXT_TYPES: readonly (readonly [begins: string, type: string])[] = [
  [DURATION_PATTERN.source, 'Duration'],
  ['^[1-9]\\d{0,11} per (?:', 'Rate'],
  ['^(?:100|', '`${number}%`'],
  ['^\\d{1,5}(?:\\.\\d{1,3})?% per call$', '`${number}% per call`'],
  [`${CALL_COUNT_PATTERN.source}|`, 'CallCount | Duration'],
]

export function scenarioTypesModule(schema: unknown, command: string): string {
  const names = new Map<string, string>()
  const interfaces: string[] = []

  /** The name of the interface for an object, which is declared when it is first met. */
  function declare(object: Schema, path: string): string | undefined {
    const shape = shapeOf(object)
    const name = names.get(shape) ?? NAMES[`/${path}`] ?? NAMES[path.split('.').at(-1)!]
    if (name === undefined || names.has(shape)) return name
    names.set(shape, name)
    const index = interfaces.push('') - 1
    interfaces[index] = `${comment(object.description)}export interface ${name} ${body(object, path)}`
    return name
  }

  /** The fields; fault options come from one interface, which is declared when it is first needed. */
  function body(object: Schema, path: string): string {
    const all = Object.entries(object.properties ?? {})
    const own = all.filter(([name]) => !isOption(name))
    if (OPTION_NAMES.some((name) => object.properties?.[name] === undefined)) return `{\n${fields(object, path)}}\n`
    if (!names.has('options')) {
      names.set('options', 'FaultOptions')
      const options = { properties: Object.fromEntries(all.filter(([name]) => isOption(name))) }
      interfaces.push(
        `/** The options of faults. Each belongs next to a fault that has it. */\nexport interface FaultOptions {\n${fields(options, path)}}\n`,
      )
    }
    return `extends FaultOptions {\n${fields({ ...object, properties: Object.fromEntries(own) }, path)}}\n`
  }

  function fields({ properties = {}, required = [], patternProperties = {} }: Schema, path: string): string {
    const own = Object.entries(properties)
      .map(([name, field]) => {
        const optional = required.includes(name) ? '' : '?'
        const type = typeOf(field, path === '' ? name : `${path}.${name}`)
        return `${comment(field.description, '  ')}  readonly ${name}${optional}: ${type}${optional && ' | undefined'}\n`
      })
      .join('')
    const [others] = Object.values(patternProperties)
    if (others === undefined) return own
    return `${own}  /** Quantiles: p50, p99.9. */\n  readonly [quantile: \`p\${number}\`]: ${typeOf(others, path)}\n`
  }

  function typeOf(field: Schema, path: string): string {
    if (field.inCode !== undefined) return field.inCode
    if (field.enum !== undefined) {
      return field.enum.includes('server-error') ? 'FaultName' : field.enum.map((one) => `'${one}'`).join(' | ')
    }
    if (path === 'ignore') return 'readonly (string | RegExp)[]'
    if (field.anyOf !== undefined) {
      const condition = /\.when\.(\w+)$/.exec(path)?.[1]
      const isPattern = condition !== undefined && takesPatterns(condition)
      const all = field.anyOf.map((one) => typeOf(isPattern ? { ...one, pattern: PATTERN } : one, path))
      const mayBeCode = field.anyOf.some(({ inCode }) => inCode !== undefined)
      // A function has a name too.
      for (const [index, { properties }] of field.anyOf.entries())
        if (mayBeCode && properties !== undefined) all[index] += ' & NotCode'
      return [...new Set(all)].join(' | ')
    }
    switch (field.type) {
      case 'string':
        return field.pattern === PATTERN ? 'string | RegExp' : textType(field.pattern)
      case 'integer':
      case 'number':
        return 'number'
      case 'boolean':
        return 'boolean'
      case 'array': {
        const item = { ...field.items, ...(field.pattern === PATTERN && { pattern: PATTERN }) }
        const inner = typeOf(item, NAMES[`${path.split('.').at(-1)}[]`] === undefined ? path : `${path}[]`)
        return `readonly ${/[ |]/.test(inner) ? `(${inner})` : inner}[]`
      }
      case 'object': {
        if (field.properties !== undefined) return declare(field, path) ?? `{ ${inline(field, path)} }`
        const value = field.additionalProperties
        const isTyped = typeof value === 'object' && Object.keys(value).length > 0
        return `Readonly<Record<string, ${isTyped ? typeOf(value, `${path}{}`) : 'unknown'}>>`
      }
      default:
        return 'unknown'
    }
  }

  const inline = ({ properties = {}, required = [] }: Schema, path: string): string =>
    Object.entries(properties)
      .map(([name, field]) => {
        const optional = required.includes(name) ? '' : '?'
        return `readonly ${name}${optional}: ${typeOf(field, `${path}.${name}`)}${optional && ' | undefined'}`
      })
      .join('; ')

  declare(schema as Schema, '')
  return `/** A scenario in code, as types. Made from scenario.schema.json by \`${command}\`; do not edit. */
import type { FaultName } from './fault-types.ts'
import type { CallCount } from '../core/scenario/compile/states.ts'
import type { CallFunction, NotCode, ReplyFunction, SayFunction } from '../core/protocol/turn/reply-function.ts'
import type { Duration } from '../core/lib/text/duration.ts'

/** So many in a window: \`60 per minute\`. */
export type Rate = \`\${number} per ${`\${${Object.keys(WINDOWS)
    .map((window) => `'${window}'`)
    .join(' | ')}}`}\`

${interfaces.join('\n')}`
}

const PATTERN = 'text or a pattern'

const isOption = (name: string): boolean => (OPTION_NAMES as readonly string[]).includes(name)

function textType(pattern = ''): string {
  if (pattern === '^[45][0-9][0-9]$') return '`${number}`'
  return TEXT_TYPES.find(([begins]) => pattern.startsWith(begins))?.[1] ?? 'string'
}

/** Two objects with equal fields have one interface, whatever is said of them where they are. */
function shapeOf({ description, ...rest }: Schema): string {
  return JSON.stringify(rest)
}

function comment(text: string | undefined, indent = ''): string {
  if (text === undefined) return ''
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}`
    .replaceAll('*/', '*\\/')
    .replace(/a fault \([^)]*\)/, 'a fault')
  return `${indent}/** ${sentence}${/[.}]$/.test(sentence) ? '' : '.'} */\n`
}
