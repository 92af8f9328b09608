/** Suggestions for what a scenario gets wrong: misspelt fields, words of other tools, rates and durations. */
import { didYouMean, namesOf, type Synonyms } from '../../text/did-you-mean.ts'
import { conditions } from '../conditions/catalogue.ts'
import { DURATION, POSITIVE, RATE, RATES } from '../grammar/fields.ts'
import { SCHEDULE_NAMES } from '../grammar/schema.ts'

/** Words of other tools, and the fields that they may stand for. */
const SYNONYMS: Synonyms = {
  // Conditions
  content: ['user', 'say'],
  prompt: ['user'],
  message: ['user'],
  messages: ['user'],
  input: ['user'],
  usermessage: ['user'],
  instructions: ['system'],
  systemprompt: ['system'],
  developer: ['system'],
  apikey: ['key', 'keys'],
  apikeys: ['keys'],
  function: ['tool', 'call'],
  toolname: ['tool'],
  body: ['request', 'say'],
  // Rules
  match: ['when'],
  matcher: ['when'],
  if: ['when'],
  conditions: ['when'],
  responses: ['replies'],
  rules: ['replies'],
  routes: ['replies'],
  fixtures: ['replies'],
  response: ['say', 'replies'],
  reply: ['say', 'replies'],
  text: ['say'],
  answertext: ['say'],
  output: ['say'],
  refusal: ['refuse'],
  toolcalls: ['call'],
  tools: ['call', 'tool'],
  finishreason: ['finish'],
  // Faults
  error: ['fault', 'faults'],
  errors: ['faults'],
  failure: ['fault', 'faults'],
  status: ['fault'],
  statuscode: ['fault', 'status'],
  code: ['fault', 'status'],
  timeout: ['fault', 'faults'],
  probability: ['chance'],
  percentage: ['chance'],
  first: ['times'],
  count: ['times'],
  max: ['times'],
  // Limits
  rpm: ['requests'],
  rps: ['requests'],
  rpd: ['requests'],
  requestsperminute: ['requests'],
  tpm: ['tokens'],
  tpd: ['tokens'],
  tokensperminute: ['tokens'],
  concurrency: ['concurrent'],
  parallel: ['concurrent'],
  ratelimit: ['limits'],
  ratelimits: ['limits'],
  // Pace
  delay: ['pace', 'firstToken'],
  latency: ['pace', 'firstToken'],
  ttft: ['firstToken'],
  timetofirsttoken: ['firstToken'],
  tpot: ['perToken'],
  itl: ['perToken'],
  intertokenlatency: ['perToken'],
  // The scenario
  name: ['description'],
  title: ['description'],
  onunmatched: ['unmatched'],
  fallback: ['unmatched'],
}

/**
 * What an unknown field was probably meant to be, as a sentence with a space in front; '' when there is no idea.
 * @param path of the map that has the field.
 * @param known the fields of that map.
 */
export function suggestField(field: string, path: readonly (string | number)[], known: readonly string[]): string {
  const near = didYouMean(field, known, SYNONYMS)
  const isRule = known.includes('when')
  if (isRule && near === '') {
    const condition = [field, ...namesOf(field, SYNONYMS)].find((name) => Object.hasOwn(conditions, name))
    if (condition === field) return " It belongs under 'when'."
    if (condition !== undefined) return ` Did you mean '${condition}' under 'when'?`
    if (SCHEDULE_NAMES.includes(field)) return " It belongs to a rule under 'faults', which takes the same 'when'."
  }
  if (near === '' && path.length === 0 && ['tokens', 'requests', 'concurrent'].some((name) => suggests(field, name)))
    return ` Did you mean '${namesOf(field, SYNONYMS)[0] ?? field}' under 'limits'?`
  return near
}

const suggests = (field: string, name: string): boolean => field === name || namesOf(field, SYNONYMS).includes(name)

/** A rate or a duration in our spelling, for one in another. */
export function suggestQuantity(value: unknown, expected: string): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value)
  const suggestion = [RATE, RATES].includes(expected)
    ? toRate(text)
    : [DURATION, POSITIVE].some((duration) => expected.startsWith(duration))
      ? toDuration(text)
      : undefined
  return suggestion === undefined ? '' : ` Did you mean '${suggestion}'?`
}

const WINDOW_WORDS = { s: 'second', m: 'minute', h: 'hour', d: 'day' } as const

/** `3/min`, `3 / minute`, `3rpm`, `3 requests per minute`, `3` */
function toRate(text: string): string | undefined {
  const match =
    /^(\d{1,12})\s*(?:(?:requests?|tokens?|calls?)\s*)?(?:(?:\/|per|an?|[rt]p(?=[smhd]$))\s*([smhd])[a-z]*)?$/i.exec(
      text.trim(),
    )
  if (match === null || Number(match[1]) === 0) return undefined
  return `${Number(match[1])} per ${WINDOW_WORDS[(match[2] ?? 'm').toLowerCase() as keyof typeof WINDOW_WORDS]}`
}

/** `300`, `300 ms`, `5 seconds` */
function toDuration(text: string): string | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|milli[a-z]*|[smhd])?[a-z]*$/i.exec(text.trim())
  if (match === null || Number(match[1]) === 0) return undefined
  const unit = (match[2] ?? 'ms').toLowerCase()
  return `${match[1]}${unit.startsWith('mi') ? 'ms' : unit}`
}
