/** The sources of the measured paces, for the table of profiles in docs. */
import type { PaceProfileName } from '../../src/core/scenario/compile/pace.ts'

interface PaceMeasurement {
  /** The models, the service and the conditions of the measurement. */
  readonly summary: string
  /** The day of the measurement. */
  readonly measured: string
  readonly source: string
}

/** @see https://github.com/ray-project/llmperf-leaderboard#run-configurations */
const LLMPERF = 'Llama 2 70B, 5 calls at once, prompts of 550 tokens, answers of 150 tokens'
const llmperf = (file: string): string =>
  `https://github.com/ray-project/llmperf-leaderboard/blob/main/raw_data/individual/${file}.json`
const THE_FASTEST =
  'https://github.com/fixie-ai/thefastest.ai/blob/198cce8c61569bd61bc3f9fa6e46132f1d502db9/src/data/currentMetrics.md'

/** The measurements by the names of their profiles. */
export const PACE_MEASUREMENTS: Readonly<Record<PaceProfileName, PaceMeasurement>> = {
  'llama-2-70b-groq': {
    summary: `${LLMPERF}, at Groq: fast and even`,
    measured: '2024-01-10',
    source: llmperf('groq_70b'),
  },
  'llama-2-70b-anyscale': {
    summary: `${LLMPERF}, at Anyscale: a quick start, and some slow calls`,
    measured: '2023-12-21',
    source: llmperf('anyscale_70b'),
  },
  'llama-2-70b-together': {
    summary: `${LLMPERF}, at Together AI: a slow start, and even after that`,
    measured: '2023-12-19',
    source: llmperf('together_70b'),
  },
  'llama-2-70b-replicate': {
    summary: `${LLMPERF}, at Replicate: some calls wait a minute for a cold model`,
    measured: '2023-12-27',
    source: llmperf('replicate_70b'),
  },
  'gpt-4-turbo': {
    summary: 'GPT-4 Turbo at OpenAI, one call of 79 tokens: 0.40 s, then 39 tokens per second',
    measured: '2024-04-10',
    source: THE_FASTEST,
  },
  'gpt-3.5-turbo': {
    summary: 'GPT-3.5 Turbo (0125) at OpenAI, one call of 60 tokens: 0.21 s, then 82 tokens per second',
    measured: '2024-04-10',
    source: THE_FASTEST,
  },
}
