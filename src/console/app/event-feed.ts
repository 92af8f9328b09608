/** Follows the event stream of the mock, and reconnects when it breaks. */
import { type ControlApi, Refusal } from './control-api.ts'

const MIN_PAUSE_MS = 500
const MAX_PAUSE_MS = 5000

export interface Follower {
  /** Called for each event, with its parsed data. */
  event(name: string, data: unknown): void
  /** Called when the stream is connected. */
  connected(): void
  /** Called when the stream broke or was refused, before it is tried again. */
  lost(refusal: Refusal): void
}

/** Follows the stream until `signal` aborts. */
export async function follow(api: ControlApi, follower: Follower, signal: AbortSignal): Promise<void> {
  let pauseMs = MIN_PAUSE_MS
  while (!signal.aborted) {
    try {
      const { body } = await api.send('GET', '/events', undefined, signal)
      pauseMs = MIN_PAUSE_MS
      follower.connected()
      await readAll(body!, follower)
      follower.lost(new Refusal(0, 'The mock has stopped.'))
    } catch (error) {
      if (signal.aborted) return
      follower.lost(error instanceof Refusal ? error : new Refusal(0, 'The connection to the mock broke.'))
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
  }
}

async function readAll(body: ReadableStream<Uint8Array>, follower: Follower): Promise<void> {
  const texts = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader()
  const reader = new EventReader()
  for (;;) {
    const { value, done } = await texts.read()
    if (done) return
    for (const { event, data } of reader.feed(value)) follower.event(event, JSON.parse(data))
  }
}

export interface ServerEvent {
  readonly event: string
  readonly data: string
}

export class EventReader {
  #rest = ''

  /** Adds the next chunk, and returns the events that it completes. */
  feed(text: string): ServerEvent[] {
    const blocks = (this.#rest + text).split('\n\n')
    this.#rest = blocks.pop()!
    return blocks.flatMap(readBlock)
  }
}

function readBlock(block: string): ServerEvent[] {
  let event = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':')
    // A line that starts with a colon is a comment, such as the heartbeat.
    if (colon < 1) continue
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (line.startsWith('event:')) event = value
    else if (line.startsWith('data:')) data.push(value)
  }
  return data.length === 0 ? [] : [{ event, data: data.join('\n') }]
}
