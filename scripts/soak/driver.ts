/** Sends the calls of a soak over many connections, and tallies what came of each. */
import { Agent, type IncomingMessage, request } from 'node:http'
import { type SoakCall, soakCall } from './calls.ts'

/** What clients saw. */
export class Seen {
  sent = 0
  /** Whole answers and those left in the middle, by `endpoint status`. */
  readonly statuses = new Map<string, number>()
  /** Calls that were left before any answer: the server may have met them or not. */
  leftAtOnce = 0
  /** Calls whose connection broke; those that asked for it. */
  broken = 0
  /** What should not have happened. */
  readonly problems = new Map<string, number>()
}

const count = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1)

export interface DriveOptions {
  readonly url: string
  readonly calls: number
  readonly connections: number
  /** Called after so many calls, and awaited: a place to take samples. */
  readonly every: number
  readonly pause: (done: number) => Promise<void>
}

export async function drive({ url, calls, connections, every, pause }: DriveOptions): Promise<Seen> {
  const seen = new Seen()
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  let next = 0
  const one = async (upTo: number): Promise<void> => {
    while (next < upTo) {
      const call = soakCall(next++)
      seen.sent++
      await send(url, call, agent, seen)
    }
  }
  for (let upTo = every; next < calls; upTo += every) {
    await Promise.all(Array.from({ length: connections }, () => one(Math.min(upTo, calls))))
    await pause(next)
  }
  agent.destroy()
  return seen
}

const PATHS = { chat: 'chat/completions', embeddings: 'embeddings' } as const

/** Sends one call and reads of its answer what the call says. */
function send(url: string, call: SoakCall, agent: Agent, seen: Seen): Promise<void> {
  return new Promise((done) => {
    const { endpoint, headers, body, kind, reading } = call
    const asksToBreak = /reset|cut|half-body/.test(headers['x-mock-fault'] ?? '')
    const sent = request(`${url}/${PATHS[endpoint]}`, { method: 'POST', agent, headers })
    let isLeft = false
    const leave = (): void => {
      isLeft = true
      sent.destroy()
      done()
    }
    const broken = (error: Error): void => {
      if (isLeft) return
      if (asksToBreak) seen.broken++
      else count(seen.problems, `${kind}: ${error.message}`)
      done()
    }
    sent.on('error', broken)
    sent.on('response', (response) => {
      read(
        response,
        () => {
          count(seen.statuses, `${endpoint} ${response.statusCode}`)
          if (reading === 'leaves at first data') leave()
          else done()
        },
        broken,
        reading,
      )
    })
    if (reading === 'leaves at once') {
      seen.leftAtOnce++
      sent.on('finish', () => setTimeout(leave, 5))
    }
    sent.end(body)
  })
}

function read(
  response: IncomingMessage,
  done: () => void,
  broken: (error: Error) => void,
  reading: SoakCall['reading'],
): void {
  let isOver = false
  const over = (then: () => void): void => {
    if (!isOver) then()
    isOver = true
  }
  response.on('error', (error) => over(() => broken(error)))
  response.on('end', () => over(done))
  if (reading === 'leaves at first data') response.once('data', () => over(done))
  response.resume()
}
