/**
 * `api-mock diff`: shows where a service's answers have changed their shape since they were recorded.
 *
 *     replies[0] chat gpt-4o 200: 1 difference
 *       chunk.obfuscation is new (string)
 *     replies[1] embeddings text-embedding-3-small 200: same shape
 *     2 requests, 1 drifted.
 */

import { countOf, escapeControls } from '../../core/lib/text/wording.ts'
import { compileScenario } from '../../core/scenario/compile/compile.ts'
import { compilePattern } from '../../core/scenario/compile/pattern.ts'
import { loadScenario } from '../../engine/node.ts'
import { type Compared, findDrift, loadCassette, recordedCalls } from '../../record/index.ts'
import { createColors, type Paint, print } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { DiffSettings } from '../args/command-options.ts'

/** Prints the differences; the exit code is 1 when there are any. */
export async function diff(cassette: string, { upstream, scenario, json }: DiffSettings): Promise<number> {
  const calls = recordedCalls(await loadCassette(cassette, upstream.href))
  // With a scenario, the service is compared with the mock in place of the recorded answers.
  const loaded = scenario === undefined ? undefined : await loadScenario(scenario)
  const compiled = loaded && compileScenario(loaded.source, { name: loaded.name, compilePattern })
  const key = process.env.OPENAI_API_KEY
  if (!key) throw new UsageError('Set OPENAI_API_KEY to a key of the real service.')
  const paint = createColors(process.stdout)
  const requests: Compared[] = []
  for await (const compared of findDrift(calls, { upstream, key, scenario: compiled })) {
    requests.push(compared)
    if (!json) print(formatCompared(compared, paint))
  }
  const drifted = requests.filter(({ differences }) => differences.length > 0).length
  const summary = `${countOf(requests.length, 'request')}, ${drifted === 0 ? 'no drift' : `${drifted} drifted`}.`
  print(json ? JSON.stringify({ upstream: upstream.href, drifted, requests }, null, 2) : summary)
  return drifted === 0 ? 0 : 1
}

/** `replies[0] chat gpt-4o 200: same shape`, or a line for each difference below. */
function formatCompared({ ruleId, endpoint, model, status, differences }: Compared, paint: Paint): string {
  const head = [ruleId, endpoint, escapeControls(model), String(status)].filter(Boolean).join(' ')
  if (differences.length === 0) return `${head}: ${paint('green', 'same shape')}`
  const lines = differences.map(({ path, change, before, now }) => {
    const name = path === '' ? 'the body' : path
    const texts = {
      missing: `${name} is missing (was ${before})`,
      added: `${name} is new (${now})`,
      type: `${name} was ${before}, is ${now}`,
      status: `${name} was ${before}, is ${now}`,
    }
    return `  ${paint('yellow', escapeControls(texts[change]))}`
  })
  return [`${head}: ${countOf(differences.length, 'difference')}`, ...lines].join('\n')
}
