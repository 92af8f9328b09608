/** Suggests plausible values by the name of a property: `city` is a city, `email` an address. */
import type { Random } from '../../random/random.ts'
import {
  FIRST_NAMES,
  FORMATS,
  LAST_NAMES,
  type NumberHint,
  QUALITIES,
  RANGES,
  SUBJECTS,
  THINGS,
  WORDS,
} from './name-tables.ts'

const ANY_RANGE: NumberHint = { from: 1, to: 100, decimals: 1 }
const PLURALS = /(?:ies|s)$/

const pick = (list: readonly string[], random: Random): string => list[random.below(list.length)]!
const isKnown = (word: string): boolean => WORDS.has(word) || RANGES.has(word) || FORMATS.has(word) || word === 'name'

/** `shippingAddresses` -> `shipping`, `address`: the words of a name, the last one in the singular. */
function splitName(name: string): string[] {
  const words = name
    .slice(0, 60)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
  const last = words.at(-1)
  if (last === undefined || isKnown(last)) return words
  const singulars = [last.replace(/ies$/, 'y'), last.replace(/es$/, ''), last.replace(/s$/, '')]
  const singular =
    singulars.find((word) => word !== last && isKnown(word)) ??
    (last.length > 4 && !last.endsWith('ss') ? last.replace(PLURALS, (end) => (end === 'ies' ? 'y' : '')) : last)
  return [...words.slice(0, -1), singular]
}

/** The usual format of a text with this name; undefined when the name suggests none. */
export function suggestFormat(name: string): string | undefined {
  const words = splitName(name)
  if (words.at(-1) === 'at' && words.length > 1) return 'date-time'
  return FORMATS.get(words.at(-1) ?? '')
}

/** A short text for a property of this name. */
export function suggestText(name: string, random: Random): string {
  const words = splitName(name)
  const last = words.at(-1) ?? ''
  const before = words.at(-2)
  const isOne = (...names: string[]): boolean => names.includes(last)
  const known = WORDS.get(last)
  if (known !== undefined) return pick(known, random)
  if (isOne('name', 'fullname')) return suggestName(before, random)
  if (isOne('firstname')) return pick(FIRST_NAMES, random)
  if (isOne('lastname', 'surname')) return pick(LAST_NAMES, random)
  if (isOne('username', 'user', 'login')) return pick(FIRST_NAMES, random).toLowerCase()
  if (isOne('id', 'key', 'token')) return `${before ?? last}_${random.alphanumeric(8).toLowerCase()}`
  if (isOne('phone', 'telephone', 'mobile')) return `+1 555 01${10 + random.below(90)}`
  if (isOne('zip', 'zipcode', 'postcode') || before === 'postal') return String(10_000 + random.below(89_999))
  if (isOne('title', 'headline', 'heading')) return `The ${writePhrase(random)}`
  if (isOne('version')) return `${1 + random.below(4)}.${random.below(10)}.${random.below(10)}`
  return words.length === 0 ? writePhrase(random) : `a ${pick(QUALITIES, random)} ${words.join(' ')}`
}

/** A value for `name`, `firstName`, `companyName` and the like. */
function suggestName(before: string | undefined, random: Random): string {
  if (before === 'first' || before === 'given') return pick(FIRST_NAMES, random)
  if (before === 'last' || before === 'family') return pick(LAST_NAMES, random)
  if (before === 'user') return pick(FIRST_NAMES, random).toLowerCase()
  const known = WORDS.get(before ?? '')
  if (known !== undefined) return pick(known, random)
  return before === undefined || ['full', 'customer', 'contact', 'person'].includes(before)
    ? `${pick(FIRST_NAMES, random)} ${pick(LAST_NAMES, random)}`
    : `${pick(QUALITIES, random)} ${before}`
}

/** Two words, to fill texts that must be long. */
export const writePhrase = (random: Random): string => `${pick(QUALITIES, random)} ${pick(SUBJECTS, random)}`

/** The usual range of a number with this name. */
export function suggestRange(name: string): NumberHint {
  const words = splitName(name)
  return RANGES.get(words.at(-1) ?? '') ?? RANGES.get(words.at(-2) ?? '') ?? ANY_RANGE
}

/** A name for a property that the schema does not name. */
export const drawPropertyName = (random: Random): string => pick([...SUBJECTS, ...QUALITIES, ...THINGS], random)
