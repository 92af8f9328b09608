/** Makers for tests of the recorder: an upstream, a recorder in front of it, and the cassette that comes out. */
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { parseScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import type { ScenarioInput } from '../../src/generated/scenario-input.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'
import { Cassette } from '../../src/record/cassette.ts'
import { type RecordedCall, startRecorder } from '../../src/record/recorder.ts'
import { type Finder, Redactor } from '../../src/record/redact/redact.ts'
import { Replayer } from '../../src/record/replayer.ts'

export interface Recording {
  /** Where the recorder listens, without `/v1`. */
  readonly origin: string
  readonly port: number
  readonly cassette: Cassette
  /** Every call that is over. */
  readonly calls: readonly RecordedCall[]
  /** Waits until so many calls are over. */
  over(count: number): Promise<void>
  /** The cassette as it would be read. */
  source(): ScenarioInput
}

/** Records what comes from `upstream`, a base URL, until the test is over. */
export const record = (upstream: string, more: readonly Finder[] = []): Promise<Recording> =>
  recordTo(new Cassette({ description: 'Recorded.' }), upstream, { more })

/** Continues a cassette: answers what it knows, and records the rest. */
export function recordHybrid(text: string, upstream: string): Promise<Recording> {
  const source = parseScenario(text, 'cassette.yaml')
  return recordTo(new Cassette(source, text), upstream, { replayer: new Replayer(source) })
}

async function recordTo(
  cassette: Cassette,
  upstream: string,
  { more = [], replayer }: { readonly more?: readonly Finder[]; readonly replayer?: Replayer },
): Promise<Recording> {
  const calls: RecordedCall[] = []
  let wake = (): void => {}
  const onCall = (call: RecordedCall): void => {
    calls.push(call)
    wake()
  }
  const server = await startRecorder({
    upstream: new URL(upstream),
    port: 0,
    cassette,
    redactor: new Redactor(more),
    replayer,
    onCall,
  })
  onTestFinished(() => server.close(0))
  const { origin, port } = new URL(server.url)
  return {
    origin,
    port: Number(port),
    cassette,
    calls,
    async over(count) {
      while (calls.length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    source: () => parseScenario(cassette.toString(), 'cassette.yaml', 10_000_000) as ScenarioInput,
  }
}

/** A mock that gives back what was recorded, as a server. */
export async function replayed({ source }: Recording): Promise<{ readonly origin: string; readonly mock: Mock }> {
  const mock = createMock(source())
  const server = await listen(mock, { port: 0 })
  onTestFinished(() => server.close(0))
  return { origin: new URL(server.url).origin, mock }
}

/** An upstream of the test's own; its base URL. */
export async function upstreamOf(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

/** An upstream that gives every call the same answer. */
export const upstreamThatSays = (
  body: string | Buffer,
  contentType = 'application/json',
  status = 200,
): Promise<string> =>
  upstreamOf((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': contentType }).end(body)
  })

/** An upstream that notes what reaches it. */
export async function watched() {
  const seen: { url: string; headers: IncomingHttpHeaders }[] = []
  const url = await upstreamOf((request, response) => {
    seen.push({ url: request.url!, headers: request.headers })
    request.resume()
    response
      .writeHead(200, { 'content-type': 'application/json', 'set-cookie': 'a=b', 'x-request-id': 'req_1' })
      .end('{}')
  })
  return { url, seen }
}
