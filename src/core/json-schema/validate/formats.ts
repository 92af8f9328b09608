/** Checks the named formats of texts. Every regular expression here takes linear time. */

const HOUR_OFFSET = '(?:z|[+-](?:[01]\\d|2[0-3]):[0-5]\\d)'
const TIME = new RegExp(`^([01]\\d|2[0-3]):([0-5]\\d):([0-5]\\d|60)(?:\\.\\d+)?${HOUR_OFFSET}$`, 'i')
const LOCAL_TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d+)?(?:z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i
const CALENDAR = /^(\d{4})-(\d\d)-(\d\d)$/
const DURATION = /^P(?!$)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i
const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const UUID = /^(?:urn:uuid:)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const SCHEME = /^[a-z][a-z0-9+.-]*:/i
const URI_CHARACTERS = /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i
const IRI_CHARACTERS = /^(?:[^\x00-\x20"<>\\^`{|}%]|%[0-9a-f]{2})*$/i
const POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/
const RELATIVE_POINTER = /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/
const TEMPLATE =
  /^(?:[^\x00-\x20"<>%\\^`{|}]|%[0-9a-f]{2}|\{[+#./;?&=,!@|]?(?:\w|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?(?:,(?:\w|%[0-9a-f]{2})+(?::[1-9]\d{0,3}|\*)?)*\})*$/i

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

function isCalendarDay(text: string): boolean {
  const [, year, month, day] = (CALENDAR.exec(text) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined) return false
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const days = month === 2 && isLeap ? 29 : DAYS_IN_MONTH[month - 1]
  return days !== undefined && day >= 1 && day <= days
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
  return at > 0 && LOCAL_PART.test(text.slice(0, at)) && domain.includes('.') && isHostname(domain)
}

const isIpv4 = (text: string): boolean =>
  /^\d{1,3}(?:\.\d{1,3}){3}$/.test(text) &&
  text.split('.').every((part) => String(Number(part)) === part && Number(part) < 256)

function isIpv6(text: string): boolean {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text)
  if (dotted !== null && !isIpv4(dotted[2]!)) return false
  const whole = dotted === null ? text : `${dotted[1]}0:0`
  const halves = whole.split('::')
  if (halves.length > 2) return false
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')))
  const isFull = halves.length === 1 ? groups.length === 8 : groups.length < 8
  return isFull && groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
}

function isRegex(text: string): boolean {
  try {
    new RegExp(text, 'u')
    return true
  } catch {
    return false
  }
}

const isUriReference = (text: string): boolean => URI_CHARACTERS.test(text) && text.split('#').length <= 2
const isIriReference = (text: string): boolean => IRI_CHARACTERS.test(text) && text.split('#').length <= 2

/** The formats that are checked; others are annotations. */
const CHECKS: Readonly<Record<string, (text: string) => boolean>> = {
  byte: (text) => BASE64.test(text),
  date: isCalendarDay,
  'date-time': isDateTime,
  duration: (text) => DURATION.test(text),
  email: isEmail,
  hostname: isHostname,
  'idn-email': (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  'idn-hostname': (text) => /^[^\s/@]+$/.test(text),
  ipv4: isIpv4,
  ipv6: isIpv6,
  iri: (text) => SCHEME.test(text) && isIriReference(text),
  'iri-reference': isIriReference,
  'iso-date-time': isDateTime,
  'iso-time': (text) => LOCAL_TIME.test(text),
  'json-pointer': (text) => POINTER.test(text),
  'json-pointer-uri-fragment': (text) =>
    text.startsWith('#') && POINTER.test(text.slice(1)) && URI_CHARACTERS.test(text),
  regex: isRegex,
  'relative-json-pointer': (text) => RELATIVE_POINTER.test(text),
  time: isTime,
  uri: (text) => SCHEME.test(text) && isUriReference(text),
  'uri-reference': isUriReference,
  'uri-template': (text) => TEMPLATE.test(text),
  url: (text) => /^(?:https?|ftp):\/\/[^\s/?#]+\.[^\s/?#]+/i.test(text) && isUriReference(text),
  uuid: (text) => UUID.test(text),
}

/** Whether a text has this format; true for an unknown format. */
export const hasFormat = (format: string, text: string): boolean =>
  Object.hasOwn(CHECKS, format) ? CHECKS[format]!(text) : true
