/** The index of a schema: its subschemas, the targets of its references, and its keywords that are not simulated. */
import { isObject } from '../text/json.ts'
import { own, pointerStep, type Schema, type SchemaObject, SchemaProblem, type WorkBudget } from './schema.ts'

const TYPES = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object']
// A base with a path, so that relative references resolve as they do against a real address.
const ROOT_BASE = 'json-schema:///root'

/** Keywords whose subschemas have names: objects of schemas. */
const MAPS = new Set(['$defs', 'definitions', 'patternProperties', 'properties'])
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
/** Keywords that hold one schema; `items` may be a list too. */
const SINGLES = new Set([
  'additionalItems',
  'additionalProperties',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
])

/** The keywords that restrict values and are neither generated nor checked. */
const NOT_SIMULATED = new Set(
  (
    '$dynamicRef $recursiveRef contains dependencies dependentRequired dependentSchemas maxContains minContains ' +
    'unevaluatedItems unevaluatedProperties'
  ).split(' '),
)

export class SchemaIndex {
  readonly notSimulated = new Set<string>()
  /** All subschemas, those further out mostly first, with the address that their references are relative to. */
  readonly #bases = new Map<SchemaObject, string>()
  readonly #addresses = new Map<string, Schema>()
  readonly #work: WorkBudget

  /** @throws SchemaProblem when a keyword has a value of the wrong form, so that all other code can trust the forms. */
  constructor(root: Schema, work: WorkBudget) {
    this.#work = work
    this.#addresses.set(ROOT_BASE, root)
    this.#add(root, ROOT_BASE, '#')
  }

  get schemas(): Iterable<SchemaObject> {
    return this.#bases.keys()
  }

  /** The schema that `$ref` points to, if there is one. */
  findTarget(schema: SchemaObject, path = '#'): Schema | undefined {
    if (typeof schema.$ref !== 'string') return undefined
    const address = resolve(schema.$ref, this.#bases.get(schema) ?? ROOT_BASE)
    const known = this.#addresses.get(address)
    if (known !== undefined) return known
    const [resource = '', fragment = ''] = address.split('#')
    if (fragment !== '' && !fragment.startsWith('/')) return undefined
    let target: unknown = this.#addresses.get(resource)
    for (const step of decodeFragment(fragment).split('/').slice(1)) {
      const name = step.replaceAll('~1', '/').replaceAll('~0', '~')
      target = typeof target === 'object' && target !== null ? own(target as SchemaObject, name) : undefined
    }
    if (typeof target !== 'boolean' && !isObject(target)) return undefined
    this.#addresses.set(address, target)
    // A pointer may lead to a subschema that no keyword leads to.
    this.#add(target, resource, path)
    return target
  }

  /** The same. @throws SchemaProblem when it points to nothing. */
  targetOf(schema: SchemaObject, path = '#'): Schema | undefined {
    const target = this.findTarget(schema, path)
    if (target === undefined && typeof schema.$ref === 'string') {
      throw new SchemaProblem(`reference '${schema.$ref}' points to nothing in this schema`, path)
    }
    return target
  }

  /** Adds a schema and its subschemas. An explicit stack: a schema nested 10,000 deep must not overflow the call stack. */
  #add(start: Schema, startBase: string, startPath: string): void {
    const pending: [schema: unknown, base: string, path: string][] = [[start, startBase, startPath]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [schema, outer, path] = next
      if (typeof schema === 'boolean') continue
      if (!isObject(schema)) throw malformed('a schema', 'an object, true or false', schema, path)
      if (this.#bases.has(schema)) continue
      this.#work.spend(1, path)
      for (const keyword of Object.keys(schema)) checkForm(keyword, schema[keyword], path)
      const { $id, $anchor } = schema
      const address = typeof $id === 'string' ? resolve($id, outer) : outer
      // In draft 7, an anchor is an id that begins with #.
      const base = address.split('#')[0]!
      this.#bases.set(schema, base)
      if ($id !== undefined && !this.#addresses.has(address)) this.#addresses.set(address, schema)
      if ($anchor !== undefined) this.#addresses.set(`${base}#${$anchor}`, schema)
      for (const [keyword, value] of Object.entries(schema)) {
        if (NOT_SIMULATED.has(keyword)) this.notSimulated.add(keyword)
        const isList = LISTS.has(keyword) || (keyword === 'items' && Array.isArray(value))
        if (isList || MAPS.has(keyword)) {
          for (const [name, inner] of Object.entries(value as object)) {
            pending.push([inner, base, `${path}/${keyword}/${pointerStep(name)}`])
          }
        } else if (SINGLES.has(keyword)) pending.push([value, base, `${path}/${keyword}`])
      }
    }
  }
}

/** @throws SchemaProblem when the keyword has a value of the wrong form. */
function checkForm(keyword: string, value: unknown, path: string): void {
  const expect = (isExpected: boolean, expected: string): void => {
    if (!isExpected) throw malformed(`'${keyword}'`, expected, value, path)
  }
  const isNumber = typeof value === 'number' && Number.isFinite(value)
  const isFlag = typeof value === 'boolean'
  const isListOf = (test: (item: unknown) => boolean): boolean => Array.isArray(value) && value.every(test)
  const isType = (type: unknown): boolean => TYPES.includes(type as string)
  if (MAPS.has(keyword)) return expect(isObject(value), 'an object')
  if (LISTS.has(keyword)) return expect(Array.isArray(value), 'a list')
  switch (keyword) {
    case '$anchor':
    case '$id':
    case '$ref':
    case 'format':
    case 'pattern':
      return expect(typeof value === 'string', 'a string')
    case 'enum':
      return expect(Array.isArray(value), 'a list of values')
    case 'exclusiveMaximum':
    case 'exclusiveMinimum':
      // Draft 4 has `exclusiveMinimum: true` beside `minimum`.
      return expect(isNumber || isFlag, 'a number')
    case 'maximum':
    case 'minimum':
      return expect(isNumber, 'a number')
    case 'maxItems':
    case 'maxLength':
    case 'maxProperties':
    case 'minItems':
    case 'minLength':
    case 'minProperties':
      return expect(Number.isInteger(value) && (value as number) >= 0, 'a whole number from 0')
    case 'multipleOf':
      return expect(isNumber && (value as number) > 0, 'a number above 0')
    case 'nullable':
    case 'uniqueItems':
      return expect(isFlag, 'true or false')
    case 'required':
      return expect(isFlag || isListOf((name) => typeof name === 'string'), 'a list of names')
    case 'type':
      return expect(
        isType(value) || (isListOf(isType) && (value as unknown[]).length > 0),
        `one of ${TYPES.join(', ')}, or a list of them`,
      )
    default:
  }
}

function malformed(subject: string, expected: string, value: unknown, path: string): SchemaProblem {
  const json = Array.isArray(value) ? 'a list' : isObject(value) ? 'an object' : String(JSON.stringify(value))
  return new SchemaProblem(`${subject} must be ${expected}, got ${json.slice(0, 60)}`, path)
}

const resolve = (reference: string, base: string): string =>
  reference.startsWith('#') || !URL.canParse(reference, base) ? base + reference : new URL(reference, base).href

function decodeFragment(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
