/** JSON values bent out of shape: one or a few places replaced, left out, doubled, renamed or wrapped. */
import fc from 'fast-check'

/** What breaks programs that believe too much: the edges of numbers, texts and shapes. */
const EDGES: readonly unknown[] = [
  ...[null, true, false, [], {}, [[]], [null], [{}], { '': '' }],
  ...[0, -0, -1, 1, 2, 3, 4, 5, 0.5, 1.5, -2, -2.1, 2.1, 16, 17, 20, 21, 64, 65, 100, -100, 101, 128, 129],
  ...[1024, 1025, 2048, 8192, 8193, 16_385, 199_999, 200_000, 200_001, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 + 2],
  ...[1e21, 1e300, -1e300, 5e-324],
  ...['', ' ', '0', '-1', 'NaN', 'null', 'auto', 'none', 'required', 'text', 'json', 'function', 'x'.repeat(65)],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '{{user}}', '/(/', '*', '\u0000', '\ud800', '\udc00x'],
  ...['\ufeff', '\u2028', '\r\n', 'a\nb', '🦜', 'e\u0301', '👩‍👩‍👧', 'x'.repeat(600)],
  JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":2,"length":-1}'),
  JSON.parse('{"type":"function","function":{"name":"__proto__"}}'),
]

export const junk: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...EDGES) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 2 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }) },
  { weight: 1, arbitrary: fc.double() },
)

type Step = string | number
type Edit = (value: unknown) => unknown
const NO_PLACES = 400

/** Every place in a value, outermost first; no more than a few hundred. */
function placesIn(value: unknown): Step[][] {
  const places: { path: Step[]; value: unknown }[] = [{ path: [], value }]
  for (let index = 0; index < places.length && places.length < NO_PLACES; index++) {
    const { path, value: one } = places[index]!
    for (const step of stepsOf(one)) places.push({ path: [...path, step], value: (one as Record<Step, unknown>)[step] })
  }
  return places.map(({ path }) => path)
}

function stepsOf(value: unknown): Step[] {
  if (Array.isArray(value)) return [...value.keys()]
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}

/** The same value with another in one place. Keys such as `__proto__` stay keys. */
function edited(value: unknown, [step, ...rest]: readonly Step[], edit: Edit): unknown {
  if (step === undefined) return edit(value)
  if (Array.isArray(value)) return value.map((one, index) => (index === step ? edited(one, rest, edit) : one))
  const entries = Object.entries(value as object)
  return Object.fromEntries(entries.map(([key, one]) => [key, key === step ? edited(one, rest, edit) : one]))
}

const BENDS = ['replace', 'replace', 'drop', 'double', 'rename', 'add', 'wrap', 'swap'] as const
interface Bend {
  readonly how: (typeof BENDS)[number]
  readonly place: number
  readonly other: unknown
  readonly name: string
}

function apply(value: unknown, { how, place, other, name }: Bend): unknown {
  const places = placesIn(value)
  const path = places[place % places.length]!
  const [parent, step] = [path.slice(0, -1), path.at(-1)]
  switch (how) {
    case 'replace':
      return edited(value, path, () => other)
    case 'wrap':
      return edited(value, path, (inner) => (place % 2 === 0 ? [inner] : { [name]: inner }))
    case 'swap':
      return edited(value, path, (inner) => (typeof inner === 'string' ? Number(inner) : JSON.stringify(inner)))
    case 'add':
      return edited(value, path, (inner) => withEntry(inner, name, other))
    case 'double':
      return edited(value, parent, (owner) => (Array.isArray(owner) ? [...owner, ...owner] : owner))
    case 'drop':
      return step === undefined ? undefined : edited(value, parent, (owner) => without(owner, step))
    case 'rename':
      return edited(value, parent, (owner) => (step === undefined ? owner : renamed(owner, step, name)))
    default:
      return how satisfies never
  }
}

function withEntry(owner: unknown, name: string, value: unknown): unknown {
  if (Array.isArray(owner)) return [...owner, value]
  return typeof owner === 'object' ? Object.fromEntries([...Object.entries(owner ?? {}), [name, value]]) : owner
}

function without(owner: unknown, step: Step): unknown {
  if (Array.isArray(owner)) return owner.filter((_, index) => index !== step)
  return Object.fromEntries(Object.entries(owner as object).filter(([key]) => key !== step))
}

function renamed(owner: unknown, step: Step, name: string): unknown {
  if (Array.isArray(owner)) return owner
  return Object.fromEntries(Object.entries(owner as object).map(([key, one]) => [key === step ? name : key, one]))
}

/** A value that is bent in one to three places. @param names keys that are nearly right, or right elsewhere. */
export function bent(value: fc.Arbitrary<unknown>, names: readonly string[]): fc.Arbitrary<unknown> {
  const bend = fc.record<Bend>({
    how: fc.constantFrom(...BENDS),
    place: fc.nat(NO_PLACES),
    other: junk,
    name: fc.constantFrom(...names, '__proto__', '', 'temprature'),
  })
  return fc
    .tuple(value, fc.array(bend, { minLength: 1, maxLength: 3 }))
    .map(([whole, bends]) => bends.reduce((one, how) => apply(one, how), whole))
}
