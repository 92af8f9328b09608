/** How a server ends that has streams on their way: drained, cut off after the grace, or at once by a second signal. */
import { Server } from './server.ts'
import type { Check } from './verdict.ts'

const STREAMS = 10
/** The server gives calls in flight 2 s; the rest is for a machine that is busy. */
const LATEST_MS = 10_000
const SAME_PRESS_MS = 600

interface Stream {
  /** Resolves with what was received when it is over, whole or broken. */
  readonly over: Promise<string>
}

/** Opens a stream and resolves at its first data. */
async function open(server: Server, model: string, content: string): Promise<Stream> {
  const response = await fetch(`${server.url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-soak-0', 'content-type': 'application/json', 'x-mock-fault': 'comments' },
    body: JSON.stringify({ model, stream: true, messages: [{ role: 'user', content }] }),
  })
  const reader = response.body!.getReader()
  let text = Buffer.from((await reader.read()).value ?? []).toString()
  const over = async (): Promise<string> => {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return text
        text += Buffer.from(value).toString()
      }
    } catch {
      return text
    }
  }
  return { over: over() }
}

const isWhole = (text: string): boolean => text.endsWith('data: [DONE]\n\n')

/** Ends a server with streams on their way by so many signals. */
async function stop(server: Server, model: string, content: string, signals: number) {
  const streams = await Promise.all(Array.from({ length: STREAMS }, () => open(server, model, content)))
  const began = performance.now()
  server.signal('SIGTERM')
  if (signals === 2) {
    await new Promise((resolve) => setTimeout(resolve, SAME_PRESS_MS))
    server.signal('SIGTERM')
  }
  const code = await server.ended
  const tookMs = Math.round(performance.now() - began)
  const whole = (await Promise.all(streams.map(({ over }) => over))).filter(isWhole).length
  return { code, tookMs, whole }
}

/** @param used the server of the soak, which ends here. */
export async function checkStopping(used: Server): Promise<Check[]> {
  const drained = await stop(used, 'paced-1', 'word '.repeat(50), 1)
  const overdue = await stop(await Server.start(), 'minute-1', 'word '.repeat(50), 1)
  const pressed = await stop(await Server.start(), 'minute-1', 'word '.repeat(50), 2)
  const said = ({ code, tookMs, whole }: typeof drained): string =>
    `code ${code}, ${tookMs} ms, ${whole} of ${STREAMS} streams whole`
  const isRight = ({ code, tookMs, whole }: typeof drained, expected: number): boolean =>
    code === 0 && tookMs < LATEST_MS && whole === expected
  return [
    { name: 'SIGTERM lets short streams finish', found: said(drained), isRight: isRight(drained, STREAMS) },
    { name: 'SIGTERM cuts long streams off after the grace', found: said(overdue), isRight: isRight(overdue, 0) },
    { name: 'a second SIGTERM ends it at once', found: said(pressed), isRight: isRight(pressed, 0) },
  ]
}
