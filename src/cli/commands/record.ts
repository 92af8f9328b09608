/**
 * `api-mock record`: forwards calls to a real service and saves each answer when it ends, until a signal stops it. With
 * `--hybrid`, the calls that the cassette knows are answered from it.
 *
 *     POST /v1/chat/completions 200 412 ms replies[0]
 *     Recorded 1 answer to 1 request. Replay: npx api-mock --scenario cassette.yaml
 */
import { existsSync } from 'node:fs'
import { countOf, escapeControls } from '../../core/lib/text/wording.ts'
import { parseScenario } from '../../core/scenario/yaml/parse-scenario.ts'
import { MAX_BYTES, readText } from '../../engine/node.ts'
import { Cassette, CassetteFile, type RecordedCall, Redactor, startRecorder } from '../../record/index.ts'
import { waitForSignal } from '../../terminal/interruption.ts'
import { createColors, type Paint, print, printError, shellWord, table } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import type { RecordSettings } from '../args/command-options.ts'
import { statusText } from '../output/log-entries.ts'

/** Time that calls in flight have to end after the signal. */
const GRACE_MS = 2000
/** Length of a path in the log; the rest is left out. */
const MAX_PATH_LENGTH = 120

/** Returns the exit code, once a signal has come and everything is saved. */
export async function record(settings: RecordSettings): Promise<number> {
  const { upstream, out, port, redact, hybrid } = settings
  const redactor = new Redactor(redact)
  const { file, cassette, replayer } = await openCassette(settings)
  const paint = createColors(process.stdout)
  // A failure is printed once, not after every call.
  let lastFailure: string | undefined
  /** Resolves with true if the cassette is saved. */
  const save = (): Promise<boolean> =>
    file
      .save(() => cassette.toString())
      .then(
        () => {
          lastFailure = undefined
          return true
        },
        ({ message }: Error) => {
          if (message !== lastFailure) printError(`api-mock: ${message}`)
          lastFailure = message
          return false
        },
      )

  // Before the banner: a program that reads it may stop the recorder at once.
  const stopped = waitForSignal()
  let replayed = 0
  const onCall = (call: RecordedCall): void => {
    print(describeCall(call, paint))
    if (call.isReplayed) replayed++
    else if (call.ruleId !== undefined) void save()
  }
  const server = await startRecorder({ upstream, port, cassette, redactor, replayer, onCall })
  const outWord = shellWord(out)
  const replay = `npx api-mock --scenario ${outWord}`
  const rows = [
    ['Base URL', paint(['bold', 'cyan'], server.url)],
    ['Upstream', upstream.href],
    ['Cassette', out],
  ] as const
  const hint = `Call the base URL with your own API key. Stop with Ctrl-C, then replay: ${replay}`
  print(`${table(rows, paint)}\n\n${paint('dim', hint)}\n`)
  await stopped
  if (server.inFlight > 0)
    print(`Stopping. Waiting up to ${GRACE_MS / 1000} s for ${countOf(server.inFlight, 'call')}.`)
  await server.close(GRACE_MS)
  if (hybrid) print(`Replayed ${countOf(replayed, 'call')}.`)
  if (cassette.answers === 0) {
    print(`Nothing was recorded. ${outWord} ${hybrid ? 'is unchanged' : 'was not written'}.`)
    return 0
  }
  if (!(await save())) return 1
  const requests = hybrid ? '' : ` to ${countOf(cassette.requests, 'request')}`
  print(`Recorded ${countOf(cassette.answers, 'answer')}${requests}. Replay: ${replay}`)
  return 0
}

/** `POST /v1/chat/completions 200 412 ms replies[0]` */
function describeCall({ method, path, status, durationMs, ruleId, isReplayed, problem }: RecordedCall, paint: Paint) {
  const parts = [
    escapeControls(method),
    escapeControls(path.slice(0, MAX_PATH_LENGTH)),
    statusText(status, paint),
    paint('dim', `${Math.round(durationMs)} ms`),
    ruleId ?? paint('yellow', `not recorded: ${escapeControls(problem ?? '')}`),
  ]
  if (isReplayed) parts.push(paint('dim', '(replayed)'))
  return parts.join(' ')
}

/** A new cassette; with `--hybrid`, the one in the file if there is one, and a replayer. */
async function openCassette({ upstream, out, ignore, hybrid, force }: RecordSettings) {
  if (hybrid && force) throw new UsageError('Expected --hybrid or --force, got both: --hybrid keeps the file.')
  const file = await CassetteFile.open(out, force || hybrid)
  const description = `Recorded from ${upstream.href} on ${new Date().toISOString().slice(0, 10)}.`
  const newCassette = new Cassette({ description, ignore })
  if (!hybrid) return { file, cassette: newCassette }
  // Loaded late: only hybrid recordings need the engine.
  const { Replayer } = await import('../../record/replayer.ts')
  if (!existsSync(out)) return { file, cassette: newCassette, replayer: new Replayer({ ignore: [...ignore] }) }
  const text = (await readText(out)).replace(/^\uFEFF/, '')
  const source = parseScenario(text, out, MAX_BYTES)
  const missing = ignore.find((path) => source.ignore?.includes(path) !== true)
  if (missing !== undefined)
    throw new UsageError(
      `--ignore: ${out} exists and does not ignore '${missing}'. Add it to the file, under 'ignore'.`,
    )
  return { file, cassette: new Cassette(source, text), replayer: new Replayer(source) }
}
