/**
 * The index of a schema: its subschemas, the targets of its references, and the keywords that are not simulated.
 *
 * `{ properties: { a: { $ref: '#/$defs/n' } }, $defs: { n: { contains: {} } } }` has three subschemas, itself included, one
 * target, and `contains`, which is not simulated.
 */
import { decodePercent } from '../text/bytes.ts'
import { isObject } from '../text/json.ts'
import { type JsonSchema, MalformedSchema, type SchemaObject, type WorkBudget } from './json-schema.ts'
import { nameOfStep, own, pointerStep } from './json-values.ts'

const TYPES: readonly unknown[] = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']
const TYPE_FORM = `one of ${TYPES.join(', ')}, or a list of them`

type Test = (value: unknown) => boolean
const isAnything: Test = () => true
const isFlag: Test = (value) => typeof value === 'boolean'
const isText: Test = (value) => typeof value === 'string'
const isNumber: Test = Number.isFinite
const isSize: Test = (value) => Number.isInteger(value) && Number(value) >= 0
const isType: Test = (value) => [value].flat().length > 0 && [value].flat().every((type) => TYPES.includes(type))

type Form = readonly [expected: string, isValid: Test, keywords: string, holds?: 'a schema' | 'schemas']

/** The forms of the values of keywords. They are checked once, so that all other code can trust them. */
const FORMS: readonly Form[] = [
  // Each schema in these is added and checked in its turn.
  ['a schema', isAnything, 'additionalItems additionalProperties items not propertyNames', 'a schema'],
  ['a list', Array.isArray, 'allOf anyOf oneOf prefixItems', 'schemas'],
  ['an object', isObject, '$defs definitions patternProperties properties', 'schemas'],
  ['a string', isText, '$anchor $id $ref format pattern'],
  ['a list of values', Array.isArray, 'enum'],
  // Draft 4 has `exclusiveMinimum: true` beside `minimum`.
  ['a number, true or false', (value) => isNumber(value) || isFlag(value), 'exclusiveMaximum exclusiveMinimum'],
  ['a number', isNumber, 'maximum minimum'],
  ['a number above 0', (value) => isNumber(value) && Number(value) > 0, 'multipleOf'],
  ['a whole number from 0', isSize, 'maxItems maxLength minItems minLength'],
  ['true or false', isFlag, 'nullable uniqueItems'],
  // In draft 3, it is a flag of the property.
  ['a list of names', (value) => isFlag(value) || (Array.isArray(value) && value.every(isText)), 'required'],
  [TYPE_FORM, isType, 'type'],
]
const FORM_BY_KEYWORD = new Map(FORMS.flatMap((form) => form[2].split(' ').map((keyword) => [keyword, form] as const)))
const ANY_FORM: Form = ['a value', isAnything, '']

/** The keywords that restrict values and are neither generated nor checked. */
const NOT_SIMULATED = new Set(
  `$dynamicRef $recursiveRef contains dependencies dependentRequired dependentSchemas if maxContains
  maxProperties minContains minProperties unevaluatedItems unevaluatedProperties`.split(/\s+/),
)

export class SchemaIndex {
  /** The keywords of `NOT_SIMULATED` that each subschema has, without those that have none. */
  readonly notSimulated = new Map<SchemaObject, readonly string[]>()
  /** All subschemas, those further out mostly first. */
  readonly schemas = new Set<SchemaObject>()
  readonly #root: JsonSchema
  /** The targets of references: `#/$defs/item`, or the name that a schema gives itself in `$id` or `$anchor`. */
  readonly #targets = new Map<string, JsonSchema>()
  readonly #work: WorkBudget

  /** @throws MalformedSchema when a keyword has a value of the wrong form. */
  constructor(root: JsonSchema, work: WorkBudget) {
    this.#root = root
    this.#work = work
    this.#add(root, '#')
  }

  /** The schema that `$ref` points to, if there is one. */
  findTarget({ $ref }: SchemaObject, path = '#'): JsonSchema | undefined {
    if (typeof $ref !== 'string') return undefined
    const known = this.#targets.get($ref)
    if (known !== undefined || !/^#(?:\/|$)/.test($ref)) return known
    let target: unknown = this.#root
    for (const step of decodePercent($ref).split('/').slice(1)) {
      target = typeof target === 'object' && target !== null ? own(target as SchemaObject, nameOfStep(step)) : undefined
    }
    if (typeof target !== 'boolean' && !isObject(target)) return undefined
    this.#targets.set($ref, target)
    // A pointer may lead to a subschema that no keyword leads to.
    this.#add(target, path)
    return target
  }

  /** The schema that `$ref` points to; undefined without one. @throws MalformedSchema when it points to nothing. */
  targetOf(schema: SchemaObject, path = '#'): JsonSchema | undefined {
    const target = this.findTarget(schema, path)
    if (target === undefined && typeof schema.$ref === 'string') {
      throw new MalformedSchema(`reference '${schema.$ref}' points to nothing in this schema`, path)
    }
    return target
  }

  /** Adds a schema and its subschemas. An explicit stack: a schema nested 10,000 deep must not overflow the call stack. */
  #add(start: JsonSchema, startPath: string): void {
    const pending: [schema: unknown, path: string][] = [[start, startPath]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [schema, path] = next
      if (typeof schema === 'boolean') continue
      if (!isObject(schema)) throw malformed('a schema', 'an object, true or false', schema, path)
      if (this.schemas.has(schema)) continue
      this.#work.spend(1, path)
      this.schemas.add(schema)
      // An `if` alone restricts nothing.
      const restricts = (keyword: string): boolean => keyword !== 'if' || 'then' in schema || 'else' in schema
      const notSimulated = Object.keys(schema).filter((keyword) => NOT_SIMULATED.has(keyword) && restricts(keyword))
      if (notSimulated.length > 0) this.notSimulated.set(schema, notSimulated)
      for (const [keyword, value] of Object.entries(schema)) {
        const [expected, isValid, , holds] = FORM_BY_KEYWORD.get(keyword) ?? ANY_FORM
        if (!isValid(value)) throw malformed(`'${keyword}'`, expected, value, path)
        // Draft 7 has tuples as a list of `items`.
        if (holds === 'schemas' || (keyword === 'items' && Array.isArray(value))) {
          for (const [name, inner] of Object.entries(value as object)) {
            pending.push([inner, `${path}/${keyword}/${pointerStep(name)}`])
          }
        } else if (holds === 'a schema') pending.push([value, `${path}/${keyword}`])
      }
      // In draft 7, an anchor is an id that begins with #.
      const { $id, $anchor } = schema
      if (typeof $id === 'string' && !this.#targets.has($id)) this.#targets.set($id, schema)
      if (typeof $anchor === 'string') this.#targets.set(`#${$anchor}`, schema)
    }
  }
}

function malformed(subject: string, expected: string, value: unknown, path: string): MalformedSchema {
  const json = Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : String(JSON.stringify(value))
  return new MalformedSchema(`${subject} must be ${expected}, got ${json.slice(0, 60)}`, path)
}
