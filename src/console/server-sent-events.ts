/** Reads server-sent events from text that comes in pieces (WHATWG HTML, section 9.2.6), as far as the mock sends them. */

export interface ServerEvent {
  readonly event: string
  readonly data: string
}

export class EventReader {
  #rest = ''

  /** Takes the next piece, and gives the events that it completes. */
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
    // A line that begins with a colon is a comment: the heartbeat.
    if (colon < 1) continue
    const value = line.slice(colon + 1).replace(/^ /, '')
    if (line.startsWith('event:')) event = value
    else if (line.startsWith('data:')) data.push(value)
  }
  return data.length === 0 ? [] : [{ event, data: data.join('\n') }]
}
