/** Sends a call with fetch and keeps all of the answer that can be compared. */
import type { ContractCall } from '../transports/calls.ts'

/** A call whose body may be bytes, too. */
export type Sendable = Omit<ContractCall, 'name' | 'body'> & { readonly body: string | Uint8Array | undefined }

/** An answer as it arrived. */
export interface Answer {
  /** 0 when there was none. */
  readonly status: number
  /** Those that the mock decides, sorted by name. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** A character for each byte. */
  readonly bytes: string
  /** Whether it broke off before its end. */
  readonly isBroken: boolean
}

// These say how the bytes travel, not what the mock answered.
const OF_THE_TRANSPORT = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length'])

/** @param progress gets the number of bytes that have arrived: 0 with the head, and then with each piece of the body */
export async function send(
  baseUrl: string,
  call: Sendable,
  signal?: AbortSignal,
  progress: (received: number) => void = () => {},
): Promise<Answer> {
  const { method, path, headers, body } = call
  let response: Response
  try {
    response = await fetch(baseUrl + path, {
      method,
      headers,
      ...(body !== undefined && { body: body as BodyInit }),
      ...(signal !== undefined && { signal }),
    })
  } catch {
    return { status: 0, headers: [], bytes: '', isBroken: true }
  }
  progress(0)
  const { bytes, isBroken } = await readBody(response, progress)
  return { status: response.status, headers: decidedHeaders(response.headers), bytes, isBroken }
}

/** The headers that the mock decides, sorted by name. */
export const decidedHeaders = (headers: Iterable<readonly [string, string]>): Answer['headers'] =>
  [...headers].filter(([name]) => !OF_THE_TRANSPORT.has(name)).sort(byName)

const byName = ([one]: readonly [string, string], [other]: readonly [string, string]): number => (one < other ? -1 : 1)

async function readBody(
  { body }: Response,
  progress: (received: number) => void,
): Promise<{ bytes: string; isBroken: boolean }> {
  let bytes = ''
  if (body === null) return { bytes, isBroken: false }
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return { bytes, isBroken: false }
      bytes += Buffer.from(value).toString('latin1')
      progress(bytes.length)
    }
  } catch {
    return { bytes, isBroken: true }
  }
}

/** The text of an answer. */
export const textOf = ({ bytes }: Answer): string => Buffer.from(bytes, 'latin1').toString()

/** The body of an answer as JSON. */
// biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies freely
export const jsonOf = (answer: Answer): any => JSON.parse(textOf(answer))
