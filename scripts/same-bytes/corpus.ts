/** Generated calls for three scenarios, as data that other processes can read: valid ones, bent ones and nonsense. */
import fc from 'fast-check'
import { builtInScenarios } from '../../src/generated/built-in.ts'
import type { ScenarioInput } from '../../src/generated/scenario-input.ts'
import { type FuzzedCall, fuzzedCall, type Header } from '../fuzz/calls.ts'
import { busy } from '../fuzz/fuzzed-scenarios.ts'

/** So many different keys take the place of each that calls are generated with, so that limits do not stop most calls. */
const KEYS_FOR_EACH = 40
const SHARED_KEYS = ['sk-test', 'sk-a', 'sk-limited', 'sk-broken', 'sk-mock-valid']

/** States, queues and paces under load are left out: what they do to a call depends on the calls of other keys. */
const { states: _states, pace: _pace, keys: _keys, ...rest } = busy
const paced = { pace: { firstToken: '300ms', perToken: '2ms' } } as const
const others = { ...rest, models: { ...rest.models, 'paced-1': paced } }
const keys = {
  'sk-test*': {},
  'sk-a*': {},
  'sk-ci-*': { limits: { requests: '2 per second', concurrent: 2 } },
  'sk-limited*': { limits: { requests: ['1 per second', '3 per minute'], tokens: '100 per minute' } },
  'sk-revoked': { fault: 'invalid-key' },
  'sk-broken*': { fault: 'cut', after: 1 },
} as const

export const scenarios: Readonly<Record<string, ScenarioInput>> = {
  default: builtInScenarios.default as ScenarioInput,
  busy: { ...others, keys },
  strict: { ...others, keys, validation: 'strict', unmatched: 'refuse' },
}

// It resets whatever call comes next on the connection, so the order of the calls decides which one.
const STALE = 'stale-connection'

/** A call that JSON can hold. */
export interface CorpusCall {
  readonly scenario: string
  readonly method: string
  readonly target: string
  readonly headers: readonly Header[]
  /** In base64. */
  readonly body: string
}

/** The same calls for the same seed. */
export function generateCalls(count: number, seed: number): readonly CorpusCall[] {
  const names = Object.keys(scenarios)
  return fc.sample(fuzzedCall, { seed, numRuns: count }).map(({ method, target, headers, body }, index) => ({
    ...{ scenario: names[index % names.length]!, method, target },
    headers: headers.map(
      ([name, value]): Header => [name, spreadKey(value, index).replace(STALE, 'reset-before-headers')],
    ),
    body: body.toString('base64'),
  }))
}

function spreadKey(value: string, index: number): string {
  const [, scheme, key] = /^(bearer +)(\S+)$/i.exec(value) ?? []
  if (scheme === undefined || key === undefined) return value
  if (key.startsWith('sk-ci-')) return `${scheme}sk-ci-${index % KEYS_FOR_EACH}`
  return SHARED_KEYS.includes(key) ? `${scheme}${key}-${index % KEYS_FOR_EACH}` : value
}

/** The key of a call: calls with one key keep their order. All without a key count as one. */
export function keyOf({ headers }: Pick<FuzzedCall, 'headers'>): string {
  const value = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? ''
  return /^bearer +(\S.*)$/i.exec(value.trim())?.[1] ?? ''
}
