/** Writes texts of the named formats: readable and, where the format allows it, of a wanted length. */
import type { Random } from '../../random/random.ts'
import { drawPropertyName } from './name-values.ts'

const two = (value: number): string => String(value).padStart(2, '0')
const year = (random: Random): number => 2024 + random.below(3)
const day = (random: Random): string => `${year(random)}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`
const clock = (random: Random): string => `${two(8 + random.below(11))}:${two(random.below(12) * 5)}`
const dateTime = (random: Random): string => `${day(random)}T${clock(random)}:00Z`

/** One word, with letters added up to at least `length` characters. */
const stretch = (random: Random, length: number, word = drawPropertyName(random)): string => {
  let text = word
  while (text.length < length) text += random.alphanumeric(1).toLowerCase()
  return text
}

function hostname(random: Random, length: number): string {
  let text = 'example.com'
  while (text.length < length) {
    const missing = length - text.length - 1
    text = `${stretch(random, Math.min(missing, 60), missing < 8 ? 'w' : 'www')}.${text}`
  }
  return text
}

const uuid = (random: Random): string => {
  const digits = random.hex(32)
  const variant = '89ab'[random.below(4)]
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
}

// Addresses reserved for documentation.
const ipv4 = (random: Random): string => `192.0.2.${1 + random.below(254)}`
const ipv6 = (random: Random): string => `2001:db8::${random.hex(4).replace(/^0+(?=.)/, '')}`
const uri = (random: Random, length: number): string => {
  const base = 'https://example.com/'
  return base + stretch(random, length - base.length)
}
const reference = (random: Random, length: number): string => `/${stretch(random, length - 1)}`
const email = (random: Random, length: number): string =>
  `${stretch(random, length - '@example.com'.length)}@example.com`

const WRITERS: Readonly<Record<string, (random: Random, length: number) => string>> = {
  byte: (random, length) => random.alphanumeric(Math.max(8, Math.ceil(length / 4) * 4)),
  date: day,
  'date-time': (random, length) => {
    const text = dateTime(random)
    return length > text.length ? `${text.slice(0, -1)}.${'0'.repeat(length - text.length - 1 || 1)}Z` : text
  },
  duration: (random, length) => {
    const text = `P${1 + random.below(9)}DT${1 + random.below(23)}H`
    return length > text.length ? `P${'1'.repeat(length - 2)}D` : text
  },
  email,
  hostname,
  'idn-email': email,
  'idn-hostname': hostname,
  ipv4: (random, length) =>
    length > 11 ? `192.168.${100 + random.below(100)}.${100 + random.below(100)}` : ipv4(random),
  ipv6: (random, length) => (length > 14 ? `2001:0db8:${'0000:'.repeat(5)}${random.hex(4)}` : ipv6(random)),
  iri: uri,
  'iri-reference': reference,
  'iso-date-time': dateTime,
  'iso-time': (random) => `${clock(random)}:00Z`,
  'json-pointer': reference,
  'json-pointer-uri-fragment': (random, length) => `#${reference(random, length - 1)}`,
  regex: (random, length) => `^${stretch(random, length - 2)}$`,
  'relative-json-pointer': (random, length) => `1${reference(random, length - 1)}`,
  time: (random) => `${clock(random)}:00Z`,
  'time-of-day': clock,
  uri,
  'uri-reference': reference,
  'uri-template': (random, length) => `${reference(random, length - 5)}/{id}`,
  url: uri,
  uuid,
}

/** A text of the format, with at least `length` characters where possible; undefined for an unknown format. */
export const writeFormatText = (format: string, random: Random, length: number): string | undefined =>
  Object.hasOwn(WRITERS, format) ? WRITERS[format]!(random, length) : undefined

/** The shortest texts of formats without a fixed length, for a small `maxLength`. */
export const SHORTEST_TEXTS: Readonly<Record<string, string>> = {
  byte: '',
  duration: 'P1D',
  email: 'a@b.co',
  hostname: 'a',
  'idn-email': 'a@b.co',
  'idn-hostname': 'a',
  ipv4: '1.1.1.1',
  ipv6: '::1',
  iri: 'a:b',
  'iri-reference': '/a',
  'json-pointer': '',
  'json-pointer-uri-fragment': '#',
  regex: 'a',
  'relative-json-pointer': '0',
  uri: 'a:b',
  'uri-reference': '/a',
  'uri-template': 'a',
  url: 'http://a.co',
}
