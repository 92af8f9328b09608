/**
 * Suggests plausible values by the name of a property: `shippingCity` is a city, `created_at` a time. Mostly the last word
 * decides. Names with the same values share a line of the tables.
 */
import type { Random } from '../../random/random.ts'

/** The range to draw from where the bounds allow it. */
export interface NumberHint {
  readonly from: number
  readonly to: number
  /** Digits after the point, for a number that is not an integer. */
  readonly decimals: number
}

const FIRST_NAMES = 'Ada Bruno Carla Dario Elena Farid Grace Hana Ivan Julia Kofi Lena'.split(' ')
const LAST_NAMES = 'Berger Costa Dubois Evans Fischer Garcia Haddad Ito Jensen Kim Lopez Moreau'.split(' ')
const THINGS = ['lamp', 'notebook', 'kettle', 'bicycle', 'backpack', 'chair', 'clock', 'teapot']
const SUBJECTS = ['garden', 'harbour', 'library', 'market', 'mountain', 'river', 'station', 'workshop']
const QUALITIES = ['bright', 'calm', 'clear', 'modern', 'quiet', 'simple', 'small', 'steady']

const byName = <Value>(table: Readonly<Record<string, Value>>): ReadonlyMap<string, Value> =>
  new Map(Object.entries(table).flatMap(([names, value]) => names.split(' ').map((name) => [name, value] as const)))

/** Texts for a property whose name ends in this word. */
const WORDS = byName<readonly string[]>({
  author: FIRST_NAMES,
  category: ['books', 'garden', 'kitchen', 'music', 'sports', 'travel'],
  'city location': ['Paris', 'Lisbon', 'Oslo', 'Kyoto', 'Lima', 'Cairo', 'Dublin', 'Vienna', 'Boston', 'Nairobi'],
  'color colour': ['amber', 'blue', 'green', 'red', 'violet'],
  company: ['Northwind', 'Blue Harbour', 'Mill & Son', 'Lakeside Labs'],
  'content description explanation message note reason sentence summary text thought': [
    'A short note about the river.',
    'The market opens at nine.',
    'Everything went as planned.',
    'It takes two steps to finish.',
    'The library is quiet in the morning.',
    'This is a simple example.',
  ],
  country: ['France', 'Portugal', 'Norway', 'Japan', 'Peru', 'Egypt', 'Ireland', 'Austria', 'Kenya', 'Canada'],
  currency: ['EUR', 'USD', 'GBP', 'JPY'],
  day: ['Monday', 'Tuesday', 'Thursday', 'Saturday'],
  department: ['Sales', 'Support', 'Research', 'Design'],
  gender: ['female', 'male'],
  genre: ['drama', 'comedy', 'mystery', 'history'],
  ingredient: ['flour', 'butter', 'salt', 'sugar', 'milk'],
  job: ['baker', 'teacher', 'engineer', 'nurse'],
  language: ['en', 'fr', 'de', 'es', 'ja'],
  locale: ['en-GB', 'fr-FR', 'de-DE', 'ja-JP'],
  month: ['March', 'June', 'September', 'December'],
  mood: QUALITIES,
  organization: ['Northwind', 'Lakeside Labs'],
  priority: ['low', 'medium', 'high'],
  'product item': THINGS,
  query: SUBJECTS.map((word) => `${word} opening hours`),
  question: ['What time does the market open?', 'Where is the station?'],
  role: ['admin', 'editor', 'viewer'],
  sentiment: ['positive', 'neutral', 'negative'],
  state: ['open', 'closed', 'pending'],
  status: ['active', 'pending', 'done'],
  'street address': ['12 Harbour Street', '7 Mill Lane', '230 Station Road', '4 Garden Square', '18 Orchard Avenue'],
  symbol: ['ACME', 'NWND', 'LAKE'],
  tag: [...SUBJECTS, ...QUALITIES],
  timezone: ['Europe/Paris', 'Asia/Tokyo', 'America/Lima'],
  'topic word': SUBJECTS,
  unit: ['metric', 'imperial'],
  weather: ['sunny', 'cloudy', 'rainy'],
})

/** Ranges for a number whose name has this word last or last but one. */
const RANGES = byName<NumberHint>({
  age: { from: 18, to: 80, decimals: 0 },
  'amount cost': { from: 1, to: 500, decimals: 2 },
  confidence: { from: 0.5, to: 1, decimals: 2 },
  'count page quantity': { from: 1, to: 10, decimals: 0 },
  day: { from: 1, to: 28, decimals: 0 },
  duration: { from: 1, to: 90, decimals: 0 },
  hour: { from: 0, to: 23, decimals: 0 },
  humidity: { from: 30, to: 90, decimals: 0 },
  index: { from: 0, to: 9, decimals: 0 },
  'lat latitude': { from: -60, to: 70, decimals: 4 },
  limit: { from: 1, to: 20, decimals: 0 },
  'lng lon longitude': { from: -180, to: 180, decimals: 4 },
  minute: { from: 0, to: 59, decimals: 0 },
  month: { from: 1, to: 12, decimals: 0 },
  'percent percentage': { from: 0, to: 100, decimals: 0 },
  price: { from: 5, to: 200, decimals: 2 },
  'probability score': { from: 0, to: 1, decimals: 2 },
  rating: { from: 1, to: 5, decimals: 1 },
  temperature: { from: -5, to: 35, decimals: 1 },
  timestamp: { from: 1_750_000_000, to: 1_790_000_000, decimals: 0 },
  total: { from: 10, to: 900, decimals: 2 },
  year: { from: 1990, to: 2026, decimals: 0 },
})

/** The format that a text of this name usually has. */
const FORMATS = byName({
  'date birthday birthdate deadline': 'date',
  'datetime timestamp': 'date-time',
  'email mail': 'email',
  'hostname host domain': 'hostname',
  ip: 'ipv4',
  time: 'time-of-day',
  'url uri link website homepage': 'uri',
  'uuid guid': 'uuid',
})

const ANY_RANGE: NumberHint = { from: 1, to: 100, decimals: 1 }

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
  const last = words.pop()
  if (last === undefined) return []
  const [withY, withoutEs, withoutS] = [last.replace(/ies$/, 'y'), last.replace(/es$/, ''), last.replace(/s$/, '')]
  // A singular that the tables know, if there is one.
  const known = [last, withY, withoutEs, withoutS].find(isKnown)
  const isPlural = last.length > 4 && !last.endsWith('ss')
  const usual = last.endsWith('ies') ? withY : withoutS
  return [...words, known ?? (isPlural ? usual : last)]
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
  const endsIn = (...names: string[]): boolean => names.includes(last)
  const known = WORDS.get(last)
  if (known !== undefined) return pick(known, random)
  if (endsIn('name', 'fullname')) return suggestName(before, random)
  if (endsIn('firstname')) return pick(FIRST_NAMES, random)
  if (endsIn('lastname', 'surname')) return pick(LAST_NAMES, random)
  if (endsIn('username', 'user', 'login')) return pick(FIRST_NAMES, random).toLowerCase()
  if (endsIn('id', 'key', 'token')) return `${before ?? last}_${random.alphanumeric(8).toLowerCase()}`
  if (endsIn('phone', 'telephone', 'mobile')) return `+1 555 01${10 + random.below(90)}`
  if (endsIn('zip', 'zipcode', 'postcode') || before === 'postal') return String(10_000 + random.below(89_999))
  if (endsIn('title', 'headline', 'heading')) return `The ${writePhrase(random)}`
  if (endsIn('version')) return `${1 + random.below(4)}.${random.below(10)}.${random.below(10)}`
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
