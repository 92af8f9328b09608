/**
 * The named formats of texts: how each is tested and written. Every regular expression here takes linear time, and texts
 * are readable and, where the format allows it, of a wanted length.
 */
import type { Random } from '../random/random.ts'
import { drawPropertyName } from './generate/name-values.ts'

const HOUR_OFFSET = '(?:z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
const TIME = new RegExp(`^([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)(?:\\.\\d+)?${HOUR_OFFSET}$`, 'i')
const CALENDAR = /^\d{4}-\d\d-\d\d$/
const DURATION = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
// No group is repeated in these: on a few million characters that overflows the stack of the engine.
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i
const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const URI_CHARACTERS = /^[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/
const WRONG_ESCAPE = /%(?![0-9a-f]{2})/i
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/
function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00Z`)
  // A day that its month does not have is an invalid date, or one of the next month.
  return CALENDAR.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isTime(text: string): boolean {
  const found = TIME.exec(text)
  // A leap second is the last second of a day in UTC; other offsets are not supported.
  return found !== null && (found[3] !== '60' || /^23:59:60(?:\.\d+)?(?:z|[+-]00:00)$/i.test(text))
}

function isDateTime(text: string): boolean {
  const [day = '', time = '', more] = text.split(/[t\s]/i)
  return more === undefined && isCalendarDay(day) && isTime(time)
}

const isHostname = (text: string): boolean => text.length <= 253 && text.split('.').every((label) => LABEL.test(label))

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  const domain = text.slice(at + 1)
  return at > 0 && isLocalPart(text.slice(0, at)) && domain.includes('.') && isHostname(domain)
}

const isIpv4 = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) &&
  text.split('.').every((part) => String(Number(part)) === part && Number(part) < 256)

const isIpv6 = (text: string): boolean => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`)

const isUri = (text: string): boolean =>
  URI_CHARACTERS.test(text) && !WRONG_ESCAPE.test(text) && text.split('#').length <= 2
const isLocalPart = (text: string): boolean => LOCAL_PART.test(text) && !`.${text}.`.includes('..')
const two = (value: number): string => String(value).padStart(2, '0')
const year = (random: Random): number => 2024 + random.below(3)
const writeDay = (random: Random): string => `${year(random)}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`
const clock = (random: Random): string => `${two(8 + random.below(11))}:${two(random.below(12) * 5)}`
const dateTime = (random: Random): string => `${writeDay(random)}T${clock(random)}:00Z`

/** One word, with letters added up to at least `length` characters. */
const stretch = (random: Random, length: number, word = drawPropertyName(random)): string => {
  let text = word
  while (text.length < length) text += random.alphanumeric(1).toLowerCase()
  return text
}

function writeHostname(random: Random, length: number): string {
  let text = 'example.com'
  while (text.length < length) {
    const missing = length - text.length - 1
    text = `${stretch(random, Math.min(missing, 60), missing < 8 ? 'w' : 'www')}.${text}`
  }
  return text
}

const writeUuid = (random: Random): string => {
  const digits = random.hex(32)
  const variant = '89ab'[random.below(4)]
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`
}

// The short addresses are reserved for documentation.
const writeIpv4 = (random: Random, length: number): string =>
  length > 11 ? `192.168.${100 + random.below(100)}.${100 + random.below(100)}` : `192.0.2.${1 + random.below(254)}`
const writeIpv6 = (random: Random, length: number): string =>
  length > 14 ? `2001:0db8:${'0000:'.repeat(5)}${random.hex(4)}` : `2001:db8::${random.hex(4).replace(/^0+(?=.)/, '')}`
const writeUri = (random: Random, length: number): string => {
  const base = 'https://example.com/'
  return base + stretch(random, length - base.length)
}
const writeEmail = (random: Random, length: number): string =>
  `${stretch(random, length - '@example.com'.length)}@example.com`
const writeTime = (random: Random): string => `${clock(random)}:00Z`

function writeDateTime(random: Random, length: number): string {
  const text = dateTime(random)
  return length > text.length ? `${text.slice(0, -1)}.${'0'.repeat(length - text.length - 1 || 1)}Z` : text
}

function writeDuration(random: Random, length: number): string {
  const text = `P${1 + random.below(9)}DT${1 + random.below(23)}H`
  return length > text.length ? `P${'1'.repeat(length - 2)}D` : text
}

interface Format {
  /** Whether a text has the format; left out for a format that only names of properties suggest. */
  readonly test?: (text: string) => boolean
  /** Writes a text with at least `length` characters where possible. */
  readonly write: (random: Random, length: number) => string
  /** The shortest text of a format without a fixed length, for a small `maxLength`. */
  readonly shortest?: string
}

const FORMATS: Readonly<Record<string, Format>> = {
  byte: {
    test: (text) => text.length % 4 === 0 && BASE64.test(text),
    write: (random, length) => random.alphanumeric(Math.max(8, Math.ceil(length / 4) * 4)),
    shortest: '',
  },
  date: { test: isCalendarDay, write: writeDay },
  'date-time': { test: isDateTime, write: writeDateTime },
  duration: { test: (text) => DURATION.test(text), write: writeDuration, shortest: 'P1D' },
  email: { test: isEmail, write: writeEmail, shortest: 'a@b.co' },
  hostname: { test: isHostname, write: writeHostname, shortest: 'a' },
  ipv4: { test: isIpv4, write: writeIpv4, shortest: '1.1.1.1' },
  ipv6: { test: isIpv6, write: writeIpv6, shortest: '::1' },
  time: { test: isTime, write: writeTime },
  'time-of-day': { write: clock },
  uri: { test: (text) => SCHEME.test(text) && isUri(text), write: writeUri, shortest: 'a:b' },
  'uri-reference': { test: isUri, write: (random, length) => `/${stretch(random, length - 1)}`, shortest: '/a' },
  url: {
    test: (text) => /^(?:https?|ftp):\/\/[^\s/?#]+\.[^\s/?#]+/i.test(text) && isUri(text),
    write: writeUri,
    shortest: 'http://a.co',
  },
  uuid: { test: (text) => UUID.test(text), write: writeUuid },
}

/** The format of this name; undefined for an unknown one, which is only an annotation. */
export const findFormat = (name: string): Format | undefined =>
  Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined

/** Whether a text has this format; true for an unknown format. */
export const hasFormat = (name: string, text: string): boolean => findFormat(name)?.test?.(text) ?? true
