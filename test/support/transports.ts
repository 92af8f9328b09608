/** The places a mock answers in: the same mock, behind msw in this process, as a server, and inside an Express app. */
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { HttpHandler } from 'msw'
import { prepareSource } from '../../src/core/scenario/check/prepare-source.ts'
import { compileScenario } from '../../src/core/scenario/compile/compile.ts'
import { compilePattern } from '../../src/core/scenario/compile/pattern.ts'
import type { ScenarioSource } from '../../src/core/scenario/scenario-source.ts'
import type { Clock } from '../../src/engine/clock/clock.ts'
import type { MockSettings } from '../../src/engine/engine.ts'
import { engineOf, Mock } from '../../src/engine/mock.ts'
import type { ScenarioInput } from '../../src/index.ts'
import { interceptFetch } from '../../src/msw/direct-fetch.ts'
import { handlersOf } from '../../src/msw/handlers.ts'
import { intercept, listen, middleware } from '../../src/node.ts'

/** What the mock answers to in process; `createMock` is to be given this base URL. */
export const IN_PROCESS_URL = 'https://api.example.com/v1'

export type TestMock = Mock & { readonly handlers: HttpHandler[]; readonly baseURL: string }

/** A mock on its way to clients. */
export interface Opened extends AsyncDisposable {
  /** What clients call; ends in `/v1`. */
  readonly baseUrl: string
}

export interface Transport {
  readonly name: string
  /** Whether something in front of the mock reads bodies, and so answers itself those that are no JSON. */
  readonly readsBodies: boolean
  /** Makes the mock answer there until it is disposed of. */
  open(mock: TestMock): Promise<Opened>
}

export const inProcess: Transport = {
  name: 'msw in process',
  readsBodies: false,
  async open(mock) {
    const interception = intercept(mock, { onUnhandledRequest: 'error' })
    return { baseUrl: IN_PROCESS_URL, [Symbol.asyncDispose]: async () => interception.close() }
  },
}

/** As a hunt answers: with msw behind it for all but plain calls. */
export const withoutMsw: Transport = {
  name: 'fetch without msw',
  readsBodies: false,
  async open(mock) {
    const interception = intercept(mock, { onUnhandledRequest: 'error' })
    const close = interceptFetch(engineOf(mock), new URL(IN_PROCESS_URL))
    return {
      baseUrl: IN_PROCESS_URL,
      async [Symbol.asyncDispose]() {
        close()
        interception.close()
      },
    }
  },
}

export const overHttp: Transport = {
  name: 'node:http',
  readsBodies: false,
  async open(mock) {
    const server = await listen(mock, { port: 0 })
    return { baseUrl: server.url, [Symbol.asyncDispose]: () => server.close(0) }
  },
}

const inExpress: Transport = {
  name: 'Express',
  readsBodies: false,
  open: (mock) => serve(appOf().use(middleware(mock)), '/v1'),
}

const behindBodyParser: Transport = {
  name: 'Express after express.json()',
  readsBodies: true,
  open: (mock) => serve(appOf().use(express.json()).use(middleware(mock)), '/v1'),
}

const mounted: Transport = {
  name: 'Express at a path to /v1',
  readsBodies: false,
  open: (mock) => serve(appOf().use('/some/where/v1', middleware(mock)), '/some/where/v1'),
}

/** Every transport of this process; the browser's is tested elsewhere, with the same calls. */
export const transports: readonly Transport[] = [inProcess, overHttp, inExpress, behindBodyParser, mounted]

const appOf = (): express.Express => express().disable('x-powered-by')

async function serve(listener: RequestListener, path: string): Promise<Opened> {
  const server = createServer(listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  return { baseUrl: `http://127.0.0.1:${port}${path}`, [Symbol.asyncDispose]: close }
}

/** `wake` of a clock whose waits take no time. */
export const wakeAtOnce: Clock['wake'] = (_time, run) => {
  queueMicrotask(run)
  return () => {}
}

/** A clock that stands still: waits take no time and limits never refill, so that only the calls matter. */
export const stillClock: Clock = { speed: 1, now: () => 0, wake: wakeAtOnce }

/** A mock whose answers depend on the calls alone. */
export function stillMock(
  scenario: ScenarioInput | ScenarioSource,
  seed: number | string,
  settings: MockSettings = {},
): TestMock {
  const compiled = compileScenario(prepareSource(scenario), { name: 'test', seed, compilePattern })
  const mock = new Mock(compiled, { clock: stillClock, ...settings })
  return Object.assign(mock, { handlers: handlersOf(engineOf(mock), new URL(IN_PROCESS_URL)), baseURL: IN_PROCESS_URL })
}
