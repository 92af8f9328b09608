/** `api-mock record`: passes calls on, and writes each answer down as it ends. */
import { compileFinder } from '../../core/scenario/compile/pattern.ts'
import { patternParts } from '../../core/scenario/compile/pattern-text.ts'
import { Cassette } from '../../record/cassette.ts'
import { CassetteFile } from '../../record/cassette-file.ts'
import { type Recorded, startRecorder } from '../../record/recorder.ts'
import { type Finder, finderOf, Redactor } from '../../record/redact/redact.ts'
import { readUpstream } from '../../record/upstream.ts'
import type { RecordSettings } from '../args/record-options.ts'
import { UsageError } from '../args/usage-error.ts'
import { plain } from '../output/call-line.ts'
import { createColors, type Paint } from '../output/colors.ts'
import { quoted } from '../output/example-call.ts'
import { waitForSignal } from '../shutdown.ts'

const GRACE_MS = 2000

/** Returns the exit code, once it was told to stop and everything is written. */
export async function record({ upstream: given, out, port, redact, force }: RecordSettings): Promise<number> {
  const upstream = usable(() => readUpstream(given))
  const redactor = new Redactor(redact.map((text) => usable(() => readRedact(text))))
  const file = await CassetteFile.open(out, force)
  const cassette = new Cassette(`Recorded from ${upstream.href} on ${new Date().toISOString().slice(0, 10)}.`)
  const paint = createColors(process.stdout)
  let failure: string | undefined
  const save = (): Promise<void> =>
    file
      .save(() => cassette.toString())
      .then(
        () => {
          failure = undefined
        },
        (error: Error) => {
          if (failure !== error.message) process.stderr.write(`api-mock: ${error.message}\n`)
          failure = error.message
        },
      )

  // From the first moment: who reads the banner may stop us at once.
  const toldToStop = waitForSignal()
  const server = await startRecorder({
    upstream,
    port,
    cassette,
    redactor,
    onCall: (call) => {
      process.stdout.write(`${lineOf(call, paint)}\n`)
      if (call.place !== undefined) void save()
    },
  })
  const shown = /^[\w./-]+$/.test(out) ? out : quoted(out)
  process.stdout.write(
    bannerOf(
      [
        ['Base URL', paint(['bold', 'cyan'], server.url)],
        ['Upstream', upstream.href],
        ['Cassette', out],
      ],
      shown,
      paint,
    ),
  )
  await toldToStop
  if (server.inFlight > 0) process.stdout.write(`Stopping. Waiting up to 2 s for ${count(server.inFlight, 'call')}.\n`)
  await server.close(GRACE_MS)
  if (cassette.answers === 0) {
    process.stdout.write(`Nothing was recorded, and ${shown} not written.\n`)
    return 0
  }
  await save()
  if (failure !== undefined) return 1
  const sum = `${count(cassette.answers, 'answer')} to ${count(cassette.requests, 'request')}`
  process.stdout.write(`Recorded ${sum}. Replay: npx api-mock --scenario ${shown}\n`)
  return 0
}

/** What is wrong with a value of an option is a mistake in the command line. */
function usable<Value>(read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function readRedact(text: string): Finder {
  const parts = patternParts(text)
  if (parts === undefined) return finderOf(text)
  try {
    return compileFinder(parts.source, parts.flags)
  } catch (error) {
    throw new Error(`--redact: found the pattern ${text} with ${(error as Error).message}`)
  }
}

function bannerOf(rows: readonly [string, string][], shown: string, paint: Paint): string {
  const lines = rows.map(([name, value]) => `${paint('dim', name.padEnd(9))} ${value}`)
  const hint = `Call the base URL with your own key. Ctrl-C stops; then: npx api-mock --scenario ${shown}`
  return `${lines.join('\n')}\n\n${paint('dim', hint)}\n\n`
}

/** `POST /v1/chat/completions 200 412 ms replies[0]` */
function lineOf({ method, path, status, durationMs, place, problem = '' }: Recorded, paint: Paint): string {
  const outcome = place ?? paint('yellow', `not recorded: ${plain(problem)}`)
  const shownStatus = paint(status >= 200 && status < 400 ? 'green' : 'red', status === 0 ? '---' : String(status))
  return [
    plain(method),
    plain(path.slice(0, 120)),
    shownStatus,
    paint('dim', `${Math.round(durationMs)} ms`),
    outcome,
  ].join(' ')
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`
