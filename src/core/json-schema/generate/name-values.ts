/** Plausible values by the name of a property: `city` is a city, `email` an address. */
import type { Random } from '../../random/random.ts'
import type { NumberHint } from './numbers.ts'

const FIRST_NAMES = [
  'Ada',
  'Bruno',
  'Carla',
  'Dario',
  'Elena',
  'Farid',
  'Grace',
  'Hana',
  'Ivan',
  'Julia',
  'Kofi',
  'Lena',
]
const LAST_NAMES = [
  'Berger',
  'Costa',
  'Dubois',
  'Evans',
  'Fischer',
  'Garcia',
  'Haddad',
  'Ito',
  'Jensen',
  'Kim',
  'Lopez',
  'Moreau',
]
const CITIES = ['Paris', 'Lisbon', 'Oslo', 'Kyoto', 'Lima', 'Cairo', 'Dublin', 'Vienna', 'Boston', 'Nairobi']
const COUNTRIES = ['France', 'Portugal', 'Norway', 'Japan', 'Peru', 'Egypt', 'Ireland', 'Austria', 'Kenya', 'Canada']
const STREETS = ['12 Harbour Street', '7 Mill Lane', '230 Station Road', '4 Garden Square', '18 Orchard Avenue']
const THINGS = ['lamp', 'notebook', 'kettle', 'bicycle', 'backpack', 'chair', 'clock', 'teapot']
const SUBJECTS = ['garden', 'harbour', 'library', 'market', 'mountain', 'river', 'station', 'workshop']
const QUALITIES = ['bright', 'calm', 'clear', 'modern', 'quiet', 'simple', 'small', 'steady']
const SENTENCES = [
  'A short note about the river.',
  'The market opens at nine.',
  'Everything went as planned.',
  'It takes two steps to finish.',
  'The library is quiet in the morning.',
  'This is a simple example.',
]
const WORDS: Readonly<Record<string, readonly string[]>> = {
  author: FIRST_NAMES,
  category: ['books', 'garden', 'kitchen', 'music', 'sports', 'travel'],
  city: CITIES,
  color: ['amber', 'blue', 'green', 'red', 'violet'],
  colour: ['amber', 'blue', 'green', 'red', 'violet'],
  company: ['Northwind', 'Blue Harbour', 'Mill & Son', 'Lakeside Labs'],
  content: SENTENCES,
  country: COUNTRIES,
  currency: ['EUR', 'USD', 'GBP', 'JPY'],
  day: ['Monday', 'Tuesday', 'Thursday', 'Saturday'],
  department: ['Sales', 'Support', 'Research', 'Design'],
  description: SENTENCES,
  explanation: SENTENCES,
  gender: ['female', 'male'],
  genre: ['drama', 'comedy', 'mystery', 'history'],
  job: ['baker', 'teacher', 'engineer', 'nurse'],
  language: ['en', 'fr', 'de', 'es', 'ja'],
  locale: ['en-GB', 'fr-FR', 'de-DE', 'ja-JP'],
  location: CITIES,
  message: SENTENCES,
  mood: QUALITIES,
  month: ['March', 'June', 'September', 'December'],
  note: SENTENCES,
  organization: ['Northwind', 'Lakeside Labs'],
  priority: ['low', 'medium', 'high'],
  product: THINGS,
  item: THINGS,
  ingredient: ['flour', 'butter', 'salt', 'sugar', 'milk'],
  query: SUBJECTS.map((word) => `${word} opening hours`),
  question: ['What time does the market open?', 'Where is the station?'],
  reason: SENTENCES,
  role: ['admin', 'editor', 'viewer'],
  sentiment: ['positive', 'neutral', 'negative'],
  state: ['open', 'closed', 'pending'],
  status: ['active', 'pending', 'done'],
  street: STREETS,
  address: STREETS,
  sentence: SENTENCES,
  summary: SENTENCES,
  symbol: ['ACME', 'NWND', 'LAKE'],
  tag: [...SUBJECTS, ...QUALITIES],
  text: SENTENCES,
  thought: SENTENCES,
  timezone: ['Europe/Paris', 'Asia/Tokyo', 'America/Lima'],
  topic: SUBJECTS,
  unit: ['metric', 'imperial'],
  weather: ['sunny', 'cloudy', 'rainy'],
  word: SUBJECTS,
}
const NUMBERS: Readonly<Record<string, NumberHint>> = {
  age: { from: 18, to: 80, decimals: 0 },
  amount: { from: 1, to: 500, decimals: 2 },
  confidence: { from: 0.5, to: 1, decimals: 2 },
  cost: { from: 1, to: 500, decimals: 2 },
  count: { from: 1, to: 10, decimals: 0 },
  day: { from: 1, to: 28, decimals: 0 },
  duration: { from: 1, to: 90, decimals: 0 },
  hour: { from: 0, to: 23, decimals: 0 },
  humidity: { from: 30, to: 90, decimals: 0 },
  index: { from: 0, to: 9, decimals: 0 },
  lat: { from: -60, to: 70, decimals: 4 },
  latitude: { from: -60, to: 70, decimals: 4 },
  limit: { from: 1, to: 20, decimals: 0 },
  lng: { from: -180, to: 180, decimals: 4 },
  lon: { from: -180, to: 180, decimals: 4 },
  longitude: { from: -180, to: 180, decimals: 4 },
  minute: { from: 0, to: 59, decimals: 0 },
  month: { from: 1, to: 12, decimals: 0 },
  page: { from: 1, to: 10, decimals: 0 },
  percent: { from: 0, to: 100, decimals: 0 },
  percentage: { from: 0, to: 100, decimals: 0 },
  price: { from: 5, to: 200, decimals: 2 },
  probability: { from: 0, to: 1, decimals: 2 },
  quantity: { from: 1, to: 10, decimals: 0 },
  rating: { from: 1, to: 5, decimals: 1 },
  score: { from: 0, to: 1, decimals: 2 },
  temperature: { from: -5, to: 35, decimals: 1 },
  timestamp: { from: 1_750_000_000, to: 1_790_000_000, decimals: 0 },
  total: { from: 10, to: 900, decimals: 2 },
  year: { from: 1990, to: 2026, decimals: 0 },
}
const ANY_NUMBER: NumberHint = { from: 1, to: 100, decimals: 1 }
const PLURALS = /(?:ies|s)$/

const FORMATS: Readonly<Record<string, string>> = {
  email: 'email',
  mail: 'email',
  url: 'uri',
  uri: 'uri',
  link: 'uri',
  website: 'uri',
  homepage: 'uri',
  uuid: 'uuid',
  guid: 'uuid',
  date: 'date',
  birthday: 'date',
  birthdate: 'date',
  deadline: 'date',
  datetime: 'date-time',
  timestamp: 'date-time',
  time: 'time-of-day',
  hostname: 'hostname',
  host: 'hostname',
  domain: 'hostname',
  ip: 'ipv4',
}

const one = (list: readonly string[], random: Random): string => list[random.below(list.length)]!

/** `shippingAddresses` -> `shipping`, `address`: the words of a name, the last one in the singular. */
function wordsOf(name: string): string[] {
  const words = name
    .slice(0, 60)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '')
  const last = words.at(-1)
  if (last === undefined || isKnown(last)) return words
  const singulars = [last.replace(/ies$/, 'y'), last.replace(/es$/, ''), last.replace(/s$/, '')]
  const singular = singulars.find((word) => word !== last && isKnown(word))
  return [
    ...words.slice(0, -1),
    singular ?? (last.length > 4 && !last.endsWith('ss') ? last.replace(PLURALS, plural) : last),
  ]
}

const plural = (ending: string): string => (ending === 'ies' ? 'y' : '')
const isKnown = (word: string): boolean =>
  [WORDS, NUMBERS, FORMATS].some((table) => Object.hasOwn(table, word)) || word === 'name'

/** The format that a text of this name has by custom, though the schema does not say so. */
export function formatOfName(name: string): string | undefined {
  const words = wordsOf(name)
  if (words.at(-1) === 'at' && words.length > 1) return 'date-time'
  const last = words.at(-1) ?? ''
  return Object.hasOwn(FORMATS, last) ? FORMATS[last] : undefined
}

/** A short text that a property of this name could have. */
export function textOfName(name: string, random: Random): string {
  const words = wordsOf(name)
  const last = words.at(-1) ?? ''
  const before = words.at(-2)
  if (Object.hasOwn(WORDS, last)) return one(WORDS[last]!, random)
  if (last === 'name' || last === 'fullname') {
    if (before === 'first' || before === 'given') return one(FIRST_NAMES, random)
    if (before === 'last' || before === 'family') return one(LAST_NAMES, random)
    if (before !== undefined && Object.hasOwn(WORDS, before)) return one(WORDS[before]!, random)
    if (before === 'user') return one(FIRST_NAMES, random).toLowerCase()
    return before === undefined || ['full', 'customer', 'contact', 'person'].includes(before)
      ? `${one(FIRST_NAMES, random)} ${one(LAST_NAMES, random)}`
      : `${one(QUALITIES, random)} ${before}`
  }
  if (last === 'firstname') return one(FIRST_NAMES, random)
  if (last === 'lastname' || last === 'surname') return one(LAST_NAMES, random)
  if (last === 'username' || last === 'user' || last === 'login') return one(FIRST_NAMES, random).toLowerCase()
  if (last === 'id' || last === 'key' || last === 'token')
    return `${before ?? last}_${random.alphanumeric(8).toLowerCase()}`
  if (last === 'phone' || last === 'telephone' || last === 'mobile') return `+1 555 01${10 + random.below(90)}`
  if (last === 'zip' || last === 'zipcode' || last === 'postcode' || before === 'postal')
    return String(10_000 + random.below(89_999))
  if (last === 'title' || last === 'headline' || last === 'heading')
    return `The ${one(QUALITIES, random)} ${one(SUBJECTS, random)}`
  if (last === 'version') return `${1 + random.below(4)}.${random.below(10)}.${random.below(10)}`
  if (words.length === 0) return `${one(QUALITIES, random)} ${one(SUBJECTS, random)}`
  return `a ${one(QUALITIES, random)} ${words.join(' ')}`
}

/** A run of words, for texts that must be long. */
export function filler(random: Random): string {
  return `${one(QUALITIES, random)} ${one(SUBJECTS, random)}`
}

/** Where a number of this name would be. */
export function rangeOfName(name: string): NumberHint {
  const words = wordsOf(name)
  for (const word of [words.at(-1), words.at(-2)]) {
    if (word !== undefined && Object.hasOwn(NUMBERS, word)) return NUMBERS[word]!
  }
  return ANY_NUMBER
}

/** A name for a property that the schema leaves open. */
export const propertyName = (random: Random): string => one([...SUBJECTS, ...QUALITIES, ...THINGS], random)
