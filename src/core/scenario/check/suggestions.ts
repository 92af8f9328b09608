/**
 * Suggestions for misspelt fields, words of other tools, and rates and durations in other notations: each is a sentence for
 * the end of a message, such as ` Did you mean 'requests'?`.
 */
import { didYouMean, namesOf } from '../../lib/text/did-you-mean.ts'
import { parseDuration, WINDOWS } from '../../lib/text/duration.ts'
import { conditions } from '../conditions/condition-table.ts'
import { SCHEDULE_NAMES } from '../grammar/fault-fields.ts'
import { DURATION, POSITIVE_DURATION } from '../grammar/fields.ts'
import { RATE, RATES } from '../grammar/limit-fields.ts'

/** The fields of a scenario, each with the words of other tools for it, in lower case. A word's first field here is suggested first. */
const FOREIGN_WORDS: Readonly<Record<string, string>> = {
  user: 'content prompt message messages input usermessage',
  system: 'instructions systemprompt developer',
  key: 'apikey',
  tool: 'function toolname tools',
  request: 'body',
  when: 'match matcher if conditions',
  refuse: 'refusal',
  finish: 'finishreason',
  fault: 'error failure status statuscode code timeout type kind',
  chance: 'probability percentage',
  times: 'first count max',
  requests: 'rpm rps rpd requestsperminute',
  tokens: 'tpm tpd tokensperminute',
  concurrent: 'concurrency parallel',
  limits: 'ratelimit ratelimits',
  pace: 'delay latency',
  delay: 'latency wait sleep late',
  perToken: 'tpot itl intertokenlatency',
  description: 'name title',
  unmatched: 'onunmatched fallback',
  keys: 'apikey apikeys',
  call: 'function toolcalls tools',
  say: 'content body response reply text answertext output',
  status: 'statuscode code',
  faults: 'error errors failure timeout',
  firstToken: 'delay latency ttft timetofirsttoken',
  replies: 'responses rules routes fixtures response reply',
}

/** The same by word: `rpm` -> `requests`, `tools` -> `tool`, `call`. */
const SYNONYMS: Record<string, string[]> = {}
for (const [field, words] of Object.entries(FOREIGN_WORDS)) {
  for (const word of words.split(' ')) SYNONYMS[word] = [...(SYNONYMS[word] ?? []), field]
}

/**
 * A suggestion for an unknown field, as a sentence after a space; '' without one.
 * @param path of the map that has the field.
 * @param known the fields of that map.
 */
export function suggestField(field: string, path: readonly (string | number)[], known: readonly string[]): string {
  const near = didYouMean(field, known, SYNONYMS)
  if (near !== '') return near
  const synonyms = namesOf(field, SYNONYMS)
  const names = [field, ...synonyms]
  const isRule = known.includes('when')
  if (isRule) {
    const condition = names.find((name) => Object.hasOwn(conditions, name))
    if (condition === field) return " It belongs under 'when'."
    if (condition !== undefined) return ` Did you mean '${condition}' under 'when'?`
    if (SCHEDULE_NAMES.includes(field)) return " It belongs to a rule under 'faults', which takes the same 'when'."
  }
  const isLimit = ['tokens', 'requests', 'concurrent'].some((name) => names.includes(name))
  return isLimit && path.length === 0 ? ` Did you mean '${synonyms[0] ?? field}' under 'limits'?` : ''
}

const WINDOW_WORDS = { s: 'second', m: 'minute', h: 'hour', d: 'day' } as const
/** `3/min`, `3 / minute`, `3rpm`, `3 requests per minute` or `3`, which is meant as `3 per minute`. */
const FOREIGN_RATE =
  /^(?<amount>\d{1,12})\s*(?:(?:requests?|tokens?|calls?)\s*)?(?:(?:\/|per|an?|[rt]p(?=[smhd]$))\s*(?<window>[smhd])[a-z]*)?$/i
/** `300`, `300 ms` or `300 millis`, which is meant as `300ms`, and `5 seconds` as `5s`. */
const FOREIGN_DURATION = /^(?<amount>\d+(?:\.\d+)?)\s*(?<unit>ms|milli|[smhd])?[a-z]*$/i

/** A suggestion for a rate or duration in another notation. @param expected the message of its schema, which tells which it is. */
export function suggestQuantity(value: unknown, expected: string): string {
  if (typeof value !== 'string' && typeof value !== 'number') return ''
  const text = String(value).trim()
  let suggestion: string
  if (expected === RATE || expected === RATES) {
    const { amount, window = 'm' } = FOREIGN_RATE.exec(text)?.groups ?? {}
    if (!Number(amount)) return ''
    suggestion = `${Number(amount)} per ${WINDOW_WORDS[window.toLowerCase() as keyof typeof WINDOW_WORDS]}`
  } else if (expected.startsWith(DURATION) || expected.startsWith(POSITIVE_DURATION)) {
    const { amount, unit = 'ms' } = FOREIGN_DURATION.exec(text)?.groups ?? {}
    if (!Number(amount)) return ''
    suggestion = `${amount}${unit.toLowerCase().replace('milli', 'ms')}`
    // More than a day is refused in every notation.
    if ((parseDuration(suggestion) ?? Infinity) > WINDOWS.day) return ''
  } else return ''
  return suggestion === value ? '' : ` Did you mean '${suggestion}'?`
}
