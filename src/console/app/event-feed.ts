/** Follows the event stream of the mock, and reconnects when it breaks. */
import { type ControlApi, ControlApiError } from './control-api.ts'

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 5000

export interface Follower {
  /** Called for each event, with its parsed data. */
  event(name: string, data: unknown): void
  /** Called when the stream is connected. */
  connected(): void
  /** Called when the stream broke or was refused, before it is tried again. */
  lost(error: ControlApiError): void
}

/** Follows the stream until `signal` aborts. */
export async function follow(api: ControlApi, follower: Follower, signal: AbortSignal): Promise<void> {
  let pauseMs = MIN_PAUSE_MS
  while (!signal.aborted) {
    try {
      const { body } = await api.send('GET', '/events', undefined, signal)
      pauseMs = MIN_PAUSE_MS
      follower.connected()
      const reader = new EventReader()
      for await (const text of readTexts(body!)) {
        for (const { event, data } of reader.feed(text)) follower.event(event, JSON.parse(data))
      }
      follower.lost(new ControlApiError(0, 'The mock has stopped.'))
    } catch (error) {
      if (signal.aborted) return
      follower.lost(
        error instanceof ControlApiError ? error : new ControlApiError(0, 'The connection to the mock broke.'),
      )
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
  }
}

/** The chunks of a body as texts. Safari has no `for await` over streams. */
export async function* readTexts(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const texts = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  for (;;) {
    const { value, done } = await texts.read()
    if (done) return
    yield value
  }
}

export interface ServerEvent {
  readonly event: string
  readonly data: string
}

/** Parses server-sent events from chunks of text, as far as the mock uses them (WHATWG HTML, section 9.2.6). */
export class EventReader {
  #rest = ''

  /** Adds the next chunk, and returns the events that it completes. */
  feed(text: string): ServerEvent[] {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop()!
    return blocks.flatMap((block) => {
      let event = 'message'
      const data: string[] = []
      for (const line of block.split('\n')) {
        // A line that starts with a colon is a comment, such as the heartbeat.
        const [, field, value = ''] = /^(event|data): ?(.*)$/s.exec(line) ?? []
        if (field === 'event') event = value
        if (field === 'data') data.push(value)
      }
      return data.length === 0 ? [] : [{ event, data: data.join('\n') }]
    })
  }
}
