/**
 * The check behind `toCost` and `toUseTokens`: what the calls cost and used, compared with a bound such as `'< $0.02'` or
 * `'< 4,000'`.
 */
import { formatCall } from '../core/journal/call-text.ts'
import type { CallUsage, JournalEntry } from '../core/journal/entry.ts'
import type { CallFilter } from '../core/journal/filter.ts'
import { countOf } from '../core/lib/text/wording.ts'
import { describeGiven } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { isWithin, parseBound } from '../core/report/bound.ts'
import { saysNoUsage } from '../core/report/token-sums.ts'
import { addUsage, formatTokens, formatUsage, formatUsd, NO_USAGE, type UsageSum } from '../core/report/usage-sums.ts'
import type { Mock } from '../engine/index.ts'
import { compileFor, formatLines, requireWholeJournal, type Verdict } from './verification.ts'

/**
 * Checks what the calls cost or used in all.
 * @throws MockError for a bound in another form, and for a call without a price, so that `.not` cannot hide either
 */
export function checkUsage(name: QuantityName, mock: Mock, bound: string, filter: CallFilter = {}): Verdict {
  const { form, expected, verb, noun, amountOf, format } = QUANTITIES[name]
  const text = typeof bound === 'string' ? bound.trim() : ''
  if (!form.test(text))
    throw new MockError('invalid-option', `${name}: expected ${expected}, got ${describeGiven(bound)}.`)
  const { text: conditions } = compileFor(mock, filter)
  const entries = mock.calls(filter)
  requireWholeJournal(name, mock, filter)
  const silent = entries.find(saysNoUsage)
  if (silent !== undefined)
    throw new MockError(
      'invalid-option',
      `${name}: the recorded answer of ${formatCall(silent)} does not say what was used.`,
    )
  const used = entries.filter((entry): entry is UsedCall => entry.usage !== undefined)
  if (name === 'toCost') requirePrices(used)
  const total = amountOf(used.reduce((sum, { usage }) => addUsage(sum, usage), NO_USAGE))
  // Thousands may be separated: 4,000.
  const pass = isWithin(total, parseBound(text.replaceAll(/(?<=\d)[ ,_]/g, '')))
  return {
    pass,
    message: () => {
      const selected = conditions === '' ? 'the calls' : `the calls with ${conditions}`
      const got = `${format(total)} in ${countOf(used.length, 'call')}`
      return `Expected ${selected} ${pass ? 'not ' : ''}to ${verb} ${text}${noun}, got ${got}${explainTotal(name, mock, used)}`
    },
  }
}

/** The end of a message: the use of each model and the largest calls, or the reason why there are none. */
function explainTotal(name: QuantityName, mock: Mock, used: readonly UsedCall[]): string {
  const { dearest, amountOf } = QUANTITIES[name]
  const allCalls = mock.journal.length
  if (allCalls === 0) return '. The mock got no calls: does the app call its address?'
  if (used.length === 0) return `. None of the ${countOf(allCalls, 'call')} of the mock counts here.`
  const sums = new Map<string, UsageSum>()
  for (const { model, usage } of used) sums.set(model, addUsage(sums.get(model) ?? NO_USAGE, usage))
  const byModel = [...sums].map(([model, sum]) => `${model}: ${countOf(sum.calls, 'call')}, ${formatUsage(sum)}`)
  const largestFirst = used.toSorted((a, b) => amountOf(b.usage) - amountOf(a.usage))
  const calls = largestFirst.map((call) => `${formatCall(call)}: ${formatUsage(call.usage)}`)
  return `:${formatLines(byModel)}\nThe ${dearest} calls are${formatLines(calls)}`
}

/** A call that says what was used: an error does not. */
type UsedCall = JournalEntry & { readonly usage: CallUsage }

/** @throws MockError for a call whose model has no price: its cost is unknown, not 0. */
function requirePrices(used: readonly UsedCall[]): void {
  const unpriced = used.filter(({ usage }) => usage.usd === undefined).map(({ model }) => `'${model}'`)
  if (unpriced.length === 0) return
  const models = [...new Set(unpriced)].join(', ')
  throw new MockError(
    'invalid-option',
    `toCost: there is no price for ${models}. Add it to the scenario, in US dollars for a million tokens: models: { ${unpriced[0]}: { prices: { input: 2.5, output: 10 } } }. The key '*' stands for all models. The built-in scenario 'openai' has the published prices of many models.`,
  )
}

/** A whole number, whose thousands may be separated, as a pattern: `4,000`. */
const DIGITS = String.raw`(?:\d{1,3}(?:[ ,_]\d{3})+|\d{1,15})`

/**
 * The two quantities that a bound can limit, by the name of the matcher: the form of a bound, and the words of messages, such as
 * `Expected the calls to use < 4,000 tokens, got 4,210 in 3 calls`.
 */
const QUANTITIES = {
  toCost: {
    form: new RegExp(String.raw`^<=? ?\$${DIGITS}(?:\.\d{1,12})?$`),
    expected: "an amount in US dollars with < or <=, such as '< $0.02'",
    verb: 'cost',
    noun: '',
    dearest: 'dearest',
    amountOf: ({ usd = 0 }: CallUsage): number => usd,
    format: formatUsd,
  },
  toUseTokens: {
    form: new RegExp(`^<=? ?${DIGITS}$`),
    expected: "a whole number of tokens with < or <=, such as '< 4,000'",
    verb: 'use',
    noun: ' tokens',
    dearest: 'largest',
    amountOf: ({ promptTokens, completionTokens }: CallUsage): number => promptTokens + completionTokens,
    format: (value: number): string => formatTokens(value),
  },
} as const

type QuantityName = keyof typeof QUANTITIES
