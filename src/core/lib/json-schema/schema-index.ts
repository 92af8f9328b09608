/** The index of a schema: its subschemas, the targets of its references, and its keywords that are not simulated. */
import { isObject } from '../text/json.ts'
import { type JsonSchema, own, pointerStep, type SchemaObject, SchemaProblem, type WorkBudget } from './json-schema.ts'

const words = (text: string): string[] => text.split(' ')

const TYPES = words('null boolean number integer string array object')
// A base with a path, so that relative references resolve as they do against a real address.
const ROOT_BASE = 'json-schema:///root'

const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value)
const isText = (value: unknown): boolean => typeof value === 'string'
const isFlag = (value: unknown): boolean => typeof value === 'boolean'
const isCount = (value: unknown): boolean => Number.isInteger(value) && (value as number) >= 0
const isType = (type: unknown): boolean => TYPES.includes(type as string)
const isTypes = (value: unknown): boolean =>
  Array.isArray(value) ? value.length > 0 && value.every(isType) : isType(value)

/** The keywords that hold subschemas, and what else is checked once, so that all other code can trust it. */
const FORMS = new Map(
  (
    [
      // Checked in their turn.
      ['additionalItems additionalProperties else if items not propertyNames then', 'a schema', () => true],
      ['allOf anyOf oneOf prefixItems', 'a list', Array.isArray],
      ['$defs definitions patternProperties properties', 'an object', isObject],
      ['$anchor $id $ref format pattern', 'a string', isText],
      ['enum', 'a list of values', Array.isArray],
      // Draft 4 has `exclusiveMinimum: true` beside `minimum`.
      ['exclusiveMaximum exclusiveMinimum', 'a number, true or false', (value) => isNumber(value) || isFlag(value)],
      ['maximum minimum', 'a number', isNumber],
      ['maxItems maxLength maxProperties minItems minLength minProperties', 'a whole number from 0', isCount],
      ['multipleOf', 'a number above 0', (value) => isNumber(value) && value > 0],
      ['nullable uniqueItems', 'true or false', isFlag],
      // In draft 3, it is a flag of the property.
      ['required', 'a list of names', (value) => (Array.isArray(value) ? value.every(isText) : isFlag(value))],
      ['type', `one of ${TYPES.join(', ')}, or a list of them`, isTypes],
    ] satisfies [keywords: string, form: string, accepts: (value: unknown) => boolean][]
  ).flatMap(([keywords, form, accepts]) => words(keywords).map((keyword) => [keyword, { form, accepts }])),
)

/** The keywords that restrict values and are neither generated nor checked. */
const NOT_SIMULATED = new Set([
  ...words(
    '$dynamicRef $recursiveRef contains dependencies dependentRequired dependentSchemas maxContains minContains',
  ),
  ...words('unevaluatedItems unevaluatedProperties'),
])

export class SchemaIndex {
  readonly notSimulated = new Set<string>()
  /** All subschemas, those further out mostly first, with the address that their references are relative to. */
  readonly #bases = new Map<SchemaObject, string>()
  readonly #addresses = new Map<string, JsonSchema>()
  readonly #work: WorkBudget

  /** @throws SchemaProblem when a keyword has a value of the wrong form, so that all other code can trust the forms. */
  constructor(root: JsonSchema, work: WorkBudget) {
    this.#work = work
    this.#addresses.set(ROOT_BASE, root)
    this.#add(root, ROOT_BASE, '#')
  }

  get schemas(): Iterable<SchemaObject> {
    return this.#bases.keys()
  }

  /** The schema that `$ref` points to, if there is one. */
  findTarget(schema: SchemaObject, path = '#'): JsonSchema | undefined {
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
  targetOf(schema: SchemaObject, path = '#'): JsonSchema | undefined {
    const target = this.findTarget(schema, path)
    if (target === undefined && typeof schema.$ref === 'string') {
      throw new SchemaProblem(`reference '${schema.$ref}' points to nothing in this schema`, path)
    }
    return target
  }

  /** Adds a schema and its subschemas. An explicit stack: a schema nested 10,000 deep must not overflow the call stack. */
  #add(start: JsonSchema, startBase: string, startPath: string): void {
    const pending: [schema: unknown, base: string, path: string][] = [[start, startBase, startPath]]
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const [schema, outer, path] = next
      if (typeof schema === 'boolean') continue
      if (!isObject(schema)) throw malformed('a schema', 'an object, true or false', schema, path)
      if (this.#bases.has(schema)) continue
      this.#work.spend(1, path)
      const { $id, $anchor } = schema
      const address = typeof $id === 'string' ? resolve($id, outer) : outer
      // In draft 7, an anchor is an id that begins with #.
      const base = address.split('#')[0]!
      this.#bases.set(schema, base)
      if ($id !== undefined && !this.#addresses.has(address)) this.#addresses.set(address, schema)
      if ($anchor !== undefined) this.#addresses.set(`${base}#${$anchor}`, schema)
      for (const [keyword, value] of Object.entries(schema)) {
        if (NOT_SIMULATED.has(keyword)) this.notSimulated.add(keyword)
        const { form, accepts } = FORMS.get(keyword) ?? {}
        if (form === undefined) continue
        if (accepts?.(value) === false) throw malformed(`'${keyword}'`, form, value, path)
        if (form === 'a list' || form === 'an object' || (keyword === 'items' && Array.isArray(value))) {
          for (const [name, inner] of Object.entries(value as object)) {
            pending.push([inner, base, `${path}/${keyword}/${pointerStep(name)}`])
          }
        } else if (form === 'a schema') pending.push([value, base, `${path}/${keyword}`])
      }
    }
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
