/** The control plane under `/_mock`: an Express app with all its routes, and the user's own msw handlers beside it. */
import { pipeline } from 'node:stream/promises'
import express, { type Request, type RequestHandler } from 'express'
import type { Explanation } from '../core/decide/pipeline/explain.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { readFilter } from '../core/journal/filter.ts'
import type { StoredExchange } from '../core/journal/stored-exchange.ts'
import { nearest } from '../core/lib/text/did-you-mean.ts'
import { isObject } from '../core/lib/text/json.ts'
import { maskKeysInPath } from '../core/lib/text/mask-keys.ts'
import { describeGiven } from '../core/protocol/errors/check-options.ts'
import { PAGE_HINT } from '../core/protocol/errors/error-catalogue.ts'
import { readAddress } from '../core/protocol/request/address.ts'
import { adviceFor } from '../core/protocol/request/not-simulated.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import type { Engine } from '../engine/engine.ts'
import type { InjectOptions } from '../engine/injection.ts'
import { buildMockReport } from '../engine/mock-report.ts'
import { HEALTH_PATHS } from '../http/http-server.ts'
import type { ListenOptions } from '../http/listen-options.ts'
import { bearerOf, checkOrigin, checkToken } from './access-control.ts'
import { consoleRoutes, pageFiles } from './console-routes.ts'
import { answerError, ControlError } from './control-error.ts'
import { journalJson } from './entry-json.ts'
import { formatMetrics, METRICS_TYPE } from './metrics.ts'
import { buildRouter, listRoutes, type RouteTable } from './route-table.ts'
import { scenarioRoutes } from './scenario-routes.ts'
import { userHandlers } from './user-handlers.ts'

/** What an explained call may take besides its body, if the mock takes small bodies only. */
const MIN_EXPLAIN_BYTES = 1_000_000

/** Builds the Express app of the control plane. Its event streams end when `closing` aborts. */
export async function createControlPlane(
  engine: Engine,
  options: ListenOptions,
  closing: AbortSignal,
): Promise<express.Express> {
  const routes = {
    ...healthRoute(engine),
    ...controlRoutes(engine),
    ...scenarioRoutes(engine),
    ...consoleRoutes(engine, closing),
  }
  const app = express()
  app.disable('x-powered-by')
  app.use(
    '/_mock',
    setSecurityHeaders,
    checkOrigin(options),
    pageFiles(),
    buildRouter(healthRoute(engine)),
    checkToken(options),
  )
  app.get('/_mock', (_, response) => void response.json({ see: listRoutes(routes) }))
  app.use('/_mock', buildRouter(routes), ({ path }) => {
    const [near] = nearest(path, Object.keys(routes), 1)
    const hint = near === undefined ? '' : ` Did you mean /_mock${near}?`
    throw new ControlError(404, `The control plane has no such route.${hint} GET /_mock/ lists them.`)
  })
  if (options.handlers !== undefined) app.use(await userHandlers(options.handlers))
  // For any Host and any page, so it says nothing but that the server is up.
  app.get(HEALTH_PATHS, setSecurityHeaders, (_, response) => void response.json({ status: 'ok' }))
  // With handlers, unknown paths come here.
  app.get('/', (request, response, next) => {
    if (request.headers.accept?.includes('text/html')) response.redirect(303, '/_mock/')
    else next()
  })
  app.use(({ method, path, headers }) => {
    const shown = maskKeysInPath(path, bearerOf(headers.authorization))
    const hint = adviceFor(readAddress(path).path) ?? (path.startsWith('/v1') ? undefined : PAGE_HINT)
    throw new ControlError(404, `Invalid URL (${method} ${shown})${hint === undefined ? '' : `. ${hint}`}`)
  })
  app.use(answerError)
  return app
}

/** Keeps pages of other origins from loading an answer as a script, an image or a style sheet. */
const setSecurityHeaders: RequestHandler = (_, response, next) => {
  response.set({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' })
  next()
}

/** The one route that needs no token: probes of an orchestrator have none, and it tells only that the mock runs. */
const healthRoute = (engine: Engine): RouteTable => ({
  '/health': {
    get: (_, response) =>
      void response.json({ status: 'ok', scenario: engine.scenario.name, state: engine.states.current }),
  },
})

function controlRoutes(engine: Engine): RouteTable {
  return {
    '/faults': {
      get: (_, response) => void response.json({ faults: engine.faults.waiting }),
      post: [
        express.json({ limit: '20kb', strict: false }),
        (request, response) => {
          injectFault(engine, request.body)
          response.status(201).json({ faults: engine.faults.waiting })
        },
      ],
      delete: (_, response) => {
        engine.faults.clear()
        response.status(204).end()
      },
    },
    '/journal': {
      get: async (request, response) => {
        const entries = findCalls(engine, request)
        response.type('json')
        // It fails when the client leaves.
        await pipeline(journalJson(entries), response).catch(() => {})
      },
      delete: (_, response) => {
        engine.clearJournal()
        response.status(204).end()
      },
    },
    '/explain': {
      post: [
        express.json({ limit: Math.max(MIN_EXPLAIN_BYTES, engine.bodyLimit), strict: false }),
        async (request, response) => void response.json(await explain(engine, request.body)),
      ],
    },
    '/report': {
      get: (_, response) => {
        const { clock, timing, journal } = engine
        response.json({
          clock: { now: clock.now(), speed: clock.speed },
          journal: journal.missingCalls,
          timing: timing.report(),
          conduct: buildMockReport(engine),
        })
      },
    },
    '/metrics': {
      get: (_, response) => void response.type(METRICS_TYPE).send(formatMetrics(engine)),
    },
    '/reset': {
      post: (_, response) => {
        engine.reset()
        response.status(204).end()
      },
    },
  }
}

/** The calls that match the filter in the query. Patterns are matched in linear time. */
function findCalls(engine: Engine, { originalUrl }: Request): readonly StoredExchange[] {
  const { searchParams } = new URL(originalUrl, 'http://localhost')
  return engine.journal.find(readFilter(searchParams), { compilePattern })
}

/** What the call in the body would get: `{ method?, path?, key?, headers?, body? }`. */
function explain(engine: Engine, body: unknown): Promise<Explanation> {
  if (!isObject(body)) {
    throw new ControlError(
      400,
      'Expected a request to explain. Send JSON like {"body": {"model": "echo-1", "messages": [...]}}, with Content-Type: application/json.',
    )
  }
  return engine.explain({ transport: 'http', ...body })
}

function injectFault(engine: Engine, body: unknown): void {
  const { fault, like, ...options } = isObject(body) ? body : {}
  if (typeof fault !== 'string' && typeof fault !== 'number') {
    const [near] = fault === undefined ? nearest('fault', Object.keys(options)) : []
    throw new ControlError(
      400,
      near === undefined
        ? 'Expected a fault in the body. Send JSON like {"fault": "server-error", "times": 2}, with Content-Type: application/json.'
        : `The body has no field 'fault'. Did you mean it by '${near}'?`,
    )
  }
  engine.faults.inject(fault, options as InjectOptions, like === undefined ? undefined : findCall(engine, like))
}

/** The call whose number is the option `like`. */
function findCall(engine: Engine, number: unknown): JournalEntry {
  const found = typeof number === 'number' ? engine.journal.entry(number) : undefined
  if (found !== undefined) return found
  throw new ControlError(
    400,
    `Failed to inject: expected like to be the number of a call in the journal, got ${describeGiven(number)}. GET /_mock/journal lists the calls.`,
  )
}
