/**
 * The named formats of texts: how each is tested and written. Every regular expression here takes linear time, and texts
 * are readable and, where the format allows it, of a wanted length.
 */
import type { Random } from '../random/random.ts'
import { drawPropertyName } from './generate/name-values.ts'
import { own } from './json-values.ts'

const TIME = /^([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i
const LAST_SECOND_UTC = /^23:59:60(?:\.\d+)?(?:z|[+-]00:00)$/i
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
// No group is repeated in these: on a few million characters that overflows the stack of the engine.
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+$/i
const URI = /^[a-z][a-z0-9+.-]*:[\w\-.~:/?#[\]@!$&'()*+,;=%]*$/i
const WRONG_ESCAPE = /%(?![0-9a-f]{2})/i

function isCalendarDay(text: string): boolean {
  const date = new Date(`${text}T00:00Z`)
  // A day that its month does not have is an invalid date, or one of the next month.
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function isTime(text: string): boolean {
  const found = TIME.exec(text)
  // A leap second is the last second of a day in UTC; other offsets are not supported.
  return found !== null && (found[3] !== '60' || LAST_SECOND_UTC.test(text))
}

const isHostname = (text: string): boolean => text.length <= 253 && text.split('.').every((label) => LABEL.test(label))

const TESTS: Readonly<Record<string, RegExp | ((text: string) => boolean)>> = {
  date: isCalendarDay,
  'date-time': (text) => {
    const [day = '', time = '', more] = text.split(/[t\s]/i)
    return more === undefined && isCalendarDay(day) && isTime(time)
  },
  duration: /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/,
  email: (text) => {
    const at = Math.max(0, text.lastIndexOf('@'))
    const [local, domain] = [text.slice(0, at), text.slice(at + 1)]
    return LOCAL_PART.test(local) && !`.${local}.`.includes('..') && domain.includes('.') && isHostname(domain)
  },
  hostname: isHostname,
  ipv4: /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/,
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]/`),
  time: isTime,
  uri: (text) => URI.test(text) && !WRONG_ESCAPE.test(text) && text.split('#').length <= 2,
  uuid: /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
}

/** True if a text has this format; an unknown format is only an annotation. */
export function hasFormat(format: string, text: string): boolean {
  const test = own(TESTS, format)
  return test instanceof RegExp ? test.test(text) : (test?.(text) ?? true)
}

/** Another text of a format, for where those of `writeFormat` are too long or do not fit: short, or with more signs. */
export const OTHER_TEXTS: Readonly<Record<string, string | undefined>> = {
  'date-time': '2025-03-17T10:15:30.25+01:00',
  duration: 'P1D',
  email: 'a@b.co',
  hostname: 'a',
  ipv4: '1.1.1.1',
  ipv6: '::1',
  time: '10:15:30+01:00',
  uri: 'a:b',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
}

/** Writes a text with at least `length` characters where the format has such texts; undefined for an unknown format. */
export function writeFormat(format: string, random: Random, length: number): string | undefined {
  const two = (value: number): string => String(value).padStart(2, '0')
  const writeDay = (): string => `${2024 + random.below(3)}-${two(1 + random.below(12))}-${two(1 + random.below(28))}`
  const writeClock = (): string => `${two(8 + random.below(11))}:${two(random.below(12) * 5)}`
  /** One word, with letters added up to at least `size` characters. */
  const stretch = (size: number, word = drawPropertyName(random)): string => {
    let text = word
    while (text.length < size) text += random.alphanumeric(1).toLowerCase()
    return text
  }
  switch (format) {
    case 'date':
      return writeDay()
    case 'date-time': {
      const text = `${writeDay()}T${writeClock()}:00Z`
      return length > text.length ? `${text.slice(0, -1)}.${'0'.repeat(length - text.length - 1 || 1)}Z` : text
    }
    case 'duration': {
      const text = `P${1 + random.below(9)}DT${1 + random.below(23)}H`
      return length > text.length ? `P${'1'.repeat(length - 2)}D` : text
    }
    case 'email':
      return `${stretch(length - '@example.com'.length)}@example.com`
    case 'hostname': {
      let text = 'example.com'
      while (text.length < length) {
        const missing = length - text.length - 1
        text = `${stretch(Math.min(missing, 60), missing < 8 ? 'w' : 'www')}.${text}`
      }
      return text
    }
    case 'ipv4':
      // These are reserved for documentation, and have at most 11 characters.
      if (length <= 11) return `192.0.2.${1 + random.below(254)}`
      return `192.168.${100 + random.below(100)}.${100 + random.below(100)}`
    case 'ipv6': {
      const digits = random.hex(4)
      // The short form has at most 14 characters.
      return length > 14 ? `2001:0db8:${'0000:'.repeat(5)}${digits}` : `2001:db8::${digits.replace(/^0+(?=.)/, '')}`
    }
    case 'time':
      return `${writeClock()}:00Z`
    // Names of properties suggest this one; JSON Schema has none.
    case 'time-of-day':
      return writeClock()
    case 'uri':
      return `https://example.com/${stretch(length - 'https://example.com/'.length)}`
    case 'uuid': {
      const digits = random.hex(32)
      const [variant, rest] = ['89ab'[random.below(4)], digits.slice(17, 20)]
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${rest}-${digits.slice(20)}`
    }
    default:
      return undefined
  }
}
