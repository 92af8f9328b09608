/**
 * Measured latencies, for `pace: { profile: <name> }`.
 *
 * Every figure was published by its source on its date; nothing is estimated. Services change: a profile says how one of them
 * was on one day.
 */
import type { ScenarioSource } from './scenario-source.ts'

export interface PaceProfile {
  /** The models, the service and the conditions of the measurement. */
  readonly summary: string
  /** The day of the measurement. */
  readonly measured: string
  readonly source: string
  readonly pace: Pick<NonNullable<ScenarioSource['pace']>, 'firstToken' | 'perToken'>
}

/** @see https://github.com/ray-project/llmperf-leaderboard#run-configurations */
const LLMPERF = 'Llama 2 70B, 5 calls at once, prompts of 550 tokens, answers of 150 tokens'
const llmperf = (file: string): string =>
  `https://github.com/ray-project/llmperf-leaderboard/blob/main/raw_data/summary/${file}.json`
const THE_FASTEST =
  'https://github.com/fixie-ai/thefastest.ai/blob/198cce8c61569bd61bc3f9fa6e46132f1d502db9/src/data/currentMetrics.md'

/** The profiles by name. Medians and 99th percentiles; one measured call is a constant. */
export const PACE_PROFILES = {
  'llama-2-70b-groq': {
    summary: `${LLMPERF}, at Groq: fast and even`,
    measured: '2024-01-10',
    source: llmperf('groq_70b'),
    pace: { firstToken: { median: '221.9ms', p99: '350ms' }, perToken: { median: '5.3ms', p99: '6.6ms' } },
  },
  'llama-2-70b-anyscale': {
    summary: `${LLMPERF}, at Anyscale: a quick start, and some slow calls`,
    measured: '2023-12-21',
    source: llmperf('anyscale_70b'),
    pace: { firstToken: { median: '212.8ms', p99: '474.5ms' }, perToken: { median: '14.6ms', p99: '38.7ms' } },
  },
  'llama-2-70b-together': {
    summary: `${LLMPERF}, at Together AI: a slow start, and even after that`,
    measured: '2023-12-19',
    source: llmperf('together_70b'),
    pace: { firstToken: { median: '635.3ms', p99: '870.9ms' }, perToken: { median: '15.3ms', p99: '23ms' } },
  },
  'llama-2-70b-replicate': {
    summary: `${LLMPERF}, at Replicate: some calls wait a minute for a cold model`,
    measured: '2023-12-27',
    source: llmperf('replicate_70b'),
    pace: {
      firstToken: { median: '1188ms', p99: '63626ms', tail: 'heavy' },
      perToken: { median: '96.9ms', p99: '591.8ms' },
    },
  },
  'gpt-4-turbo': {
    summary: 'GPT-4 Turbo at OpenAI, one call of 79 tokens: 0.40 s, then 39 tokens per second',
    measured: '2024-04-10',
    source: THE_FASTEST,
    pace: { firstToken: '400ms', perToken: '25.6ms' },
  },
  'gpt-3.5-turbo': {
    summary: 'GPT-3.5 Turbo (0125) at OpenAI, one call of 60 tokens: 0.21 s, then 82 tokens per second',
    measured: '2024-04-10',
    source: THE_FASTEST,
    pace: { firstToken: '210ms', perToken: '12.2ms' },
  },
} as const satisfies Readonly<Record<string, PaceProfile>>

export type PaceProfileName = keyof typeof PACE_PROFILES
export const PACE_PROFILE_NAMES = Object.keys(PACE_PROFILES) as readonly PaceProfileName[]
