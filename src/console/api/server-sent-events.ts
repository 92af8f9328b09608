/** Parses server-sent events from chunks of text, as far as the mock uses them (WHATWG HTML, section 9.2.6). */

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
