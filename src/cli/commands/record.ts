/** `api-mock record`: forwards calls to a real service and saves each answer when it ends. */
import { escapeControls } from '../../core/text/escape-controls.ts'
import { Cassette } from '../../record/cassette.ts'
import { CassetteFile } from '../../record/cassette-file.ts'
import { type RecordedCall, startRecorder } from '../../record/recorder.ts'
import { Redactor } from '../../record/redact/redact.ts'
import type { RecordSettings } from '../args/options.ts'
import { statusText } from '../output/call-line.ts'
import { createColors, type Paint } from '../output/colors.ts'
import { countOf, shellWord, table } from '../output/text.ts'
import { checkIgnored, readRedact } from '../read-patterns.ts'
import { waitForSignal } from '../shutdown.ts'

const GRACE_MS = 2000
const MAX_PATH_LENGTH = 120

/** Returns the exit code, once a signal has come and everything is saved. */
export async function record({ upstream, out, port, redact, ignore, force }: RecordSettings): Promise<number> {
  const redactor = new Redactor(redact.map(readRedact))
  checkIgnored(ignore)
  const file = await CassetteFile.open(out, force)
  const cassette = new Cassette({
    description: `Recorded from ${upstream.href} on ${new Date().toISOString().slice(0, 10)}.`,
    ignore,
  })
  const paint = createColors(process.stdout)
  let failure: string | undefined
  const save = async (): Promise<void> => {
    try {
      await file.save(() => cassette.toString())
      failure = undefined
    } catch (error) {
      const { message } = error as Error
      if (failure !== message) process.stderr.write(`api-mock: ${message}\n`)
      failure = message
    }
  }

  // Before the banner: a program that reads it may stop the recorder at once.
  const stopped = waitForSignal()
  const server = await startRecorder({
    upstream,
    port,
    cassette,
    redactor,
    onCall: (call) => {
      say(formatCall(call, paint))
      if (call.ruleId !== undefined) void save()
    },
  })
  const shown = shellWord(out)
  const rows: [string, string][] = [
    ['Base URL', paint(['bold', 'cyan'], server.url)],
    ['Upstream', upstream.href],
    ['Cassette', out],
  ]
  const hint = `Call the base URL with your own API key. Stop with Ctrl-C, then replay: npx api-mock --scenario ${shown}`
  say(`${table(rows, paint)}\n\n${paint('dim', hint)}\n`)
  await stopped
  if (server.inFlight > 0) say(`Stopping. Waiting up to 2 s for ${countOf(server.inFlight, 'call')}.`)
  await server.close(GRACE_MS)
  if (cassette.answers === 0) {
    say(`Nothing was recorded. ${shown} was not written.`)
    return 0
  }
  await save()
  if (failure !== undefined) return 1
  const counts = `${countOf(cassette.answers, 'answer')} to ${countOf(cassette.requests, 'request')}`
  say(`Recorded ${counts}. Replay: npx api-mock --scenario ${shown}`)
  return 0
}

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** `POST /v1/chat/completions 200 412 ms replies[0]` */
function formatCall({ method, path, status, durationMs, ruleId, problem = '' }: RecordedCall, paint: Paint): string {
  return [
    escapeControls(method),
    escapeControls(path.slice(0, MAX_PATH_LENGTH)),
    statusText(status, paint),
    paint('dim', `${Math.round(durationMs)} ms`),
    ruleId ?? paint('yellow', `not recorded: ${escapeControls(problem)}`),
  ].join(' ')
}
