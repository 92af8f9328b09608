/**
 * The control plane under `/_mock`: an Express app with all its routes, and the user's own msw handlers beside it.
 *
 *     every request       origin -> page -> /health -> token -> session -> routes that a session may limit
 *                         -> for the whole server only: other routes -> 404
 *     outside of /_mock   user handlers -> /health, /ready -> / (to the page) -> 404
 */
import { pipeline } from 'node:stream/promises'
import express, { type RequestHandler, type Response } from 'express'
import { readFilter } from '../core/journal/filter.ts'
import { nearest } from '../core/lib/text/did-you-mean.ts'
import { isObject } from '../core/lib/text/json.ts'
import { maskKeysInPath } from '../core/lib/text/mask-keys.ts'
import { shorten } from '../core/lib/text/wording.ts'
import { describeGiven } from '../core/protocol/errors/check-options.ts'
import { PAGE_HINT } from '../core/protocol/errors/error-catalogue.ts'
import { adviceFor } from '../core/protocol/request/not-simulated.ts'
import { readAddress } from '../core/protocol/request/request-path.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { buildMockReport, type Engine, type InjectOptions } from '../engine/index.ts'
import { HEALTH_PATHS, isLarge, LargeRequests, type ListenOptions } from '../http/index.ts'
import { bearerOf, checkOrigin, checkToken } from './access-control.ts'
import { consoleRoutes, pageFiles } from './console-routes.ts'
import { journalJson } from './entry-json.ts'
import { formatMetrics, METRICS_TYPE } from './metrics.ts'
import { answerError, buildRouter, ControlError, listRoutes, type RouteTable } from './route-table.ts'
import { ScenarioFile } from './scenario-file.ts'
import { fileRoutes, scenarioRoutes } from './scenario-routes.ts'
import { type FindScope, limitToSession, refuseSessions, type Scope, scopeOf } from './scope.ts'
import { userHandlers } from './user-handlers.ts'

/** The largest body of /explain is at least this, also if the mock takes small bodies only: it has more than a body of a call. */
const MIN_EXPLAIN_BYTES = 1_000_000

/** The end of a server. */
export interface Shutdown {
  /** Aborts when the server begins to drain: it is not ready any more. */
  readonly draining: AbortSignal
  /** Aborts when the server closes: event streams end. */
  readonly closing: AbortSignal
}

/** Builds the Express app of the control plane. */
export async function createControlPlane(
  engine: Engine,
  options: ListenOptions,
  { draining, closing }: Shutdown,
): Promise<express.Express> {
  const file = options.scenarioFile === undefined ? undefined : new ScenarioFile(options.scenarioFile, closing)
  const scope = scopeOf(engine)
  // A request for these can be limited to a session; the token of a session opens no others.
  const sessionRoutes: RouteTable = {
    ...controlRoutes(engine, scope),
    ...scenarioRoutes(engine, file, scope),
    ...consoleRoutes(engine, closing, file, scope),
  }
  const serverRoutes: RouteTable = {
    ...fileRoutes(engine, file, scope),
    '/metrics': {
      get: (_, response) => void response.type(METRICS_TYPE).send(formatMetrics(engine, options.metricsNames)),
    },
  }
  // The one route that needs no token: probes of an orchestrator have none, and it tells only that the mock runs.
  const healthRoute: RouteTable = {
    '/health': {
      get: (_, response) =>
        void response.json({ status: 'ok', scenario: engine.scenario.name, state: engine.view.position?.state }),
    },
  }
  const allRoutes = { ...healthRoute, ...sessionRoutes, ...serverRoutes }
  const app = express()
  app.disable('x-powered-by')
  app.use('/_mock', setSecurityHeaders, checkOrigin(options), pageFiles(), buildRouter(healthRoute))
  app.use('/_mock', checkToken(options), limitToSession, takeRoom(), buildRouter(sessionRoutes), refuseSessions)
  app.get('/_mock', (_, response) => void response.json({ see: listRoutes(allRoutes) }))
  app.use('/_mock', buildRouter(serverRoutes), ({ path }) => {
    const [near] = nearest(path, Object.keys(allRoutes), 1)
    const hint = near === undefined ? '' : ` Did you mean /_mock${near}?`
    throw new ControlError(`The control plane has no such route.${hint} GET /_mock/ lists them.`, 404)
  })
  if (options.handlers !== undefined) app.use(await userHandlers(options.handlers))
  // For any Host and any page, so it says nothing but that the server is up.
  app.get(HEALTH_PATHS, setSecurityHeaders, ({ path }, response) => {
    if (path === '/ready' && draining.aborted) response.status(503).json({ status: 'draining' })
    else response.json({ status: 'ok' })
  })
  // With handlers, the router sends every path here that it does not know, otherwise only browsers.
  app.get('/', (request, response, next) => {
    if (request.headers.accept?.includes('text/html')) response.redirect(303, '/_mock/')
    else next()
  })
  app.use(({ method, path, headers }) => {
    const shown = maskKeysInPath(path, bearerOf(headers.authorization))
    const hint = adviceFor(readAddress(path).path) ?? (path.startsWith('/v1') ? undefined : PAGE_HINT)
    const problem = `Invalid URL (${method} ${shown})`
    throw new ControlError(hint === undefined ? problem : `${problem}. ${hint}`, 404)
  })
  app.use(answerError)
  return app
}

/** Keeps pages of other origins from loading an answer as a script, an image or a style sheet. */
const setSecurityHeaders: RequestHandler = (_, response, next) => {
  response.set({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' })
  next()
}

/** Bounds the memory of large bodies, apart from that of calls. */
function takeRoom(): RequestHandler {
  const requests = new LargeRequests()
  return (request, response, next) => {
    if (!isLarge(request, Number.POSITIVE_INFINITY)) return next()
    const room = requests.admit(request, response)
    request.once('end', room.receive)
    // From then on, the answer counts as unread.
    response.once('prefinish', room.release)
    response.once('close', async () => {
      // The route /explain leaves its promise here: an explanation goes on when its client has left.
      await Promise.allSettled([response.locals.explaining])
      room.release()
      // An idle connection keeps its last request and response.
      request.body = undefined
      response.locals.explaining = undefined
    })
    next()
  }
}

/** The routes that code has as methods of a mock: faults, journal, explain, report, reset. */
function controlRoutes(engine: Engine, scope: FindScope): RouteTable {
  /** A handler that makes a change and answers 204. */
  const changeTo =
    (description: string, change: (scope: Scope) => void): RequestHandler =>
    (_, response) => {
      const scopeOfRequest = scope(response)
      change(scopeOfRequest)
      scopeOfRequest.changed(description)
      response.status(204).end()
    }
  return {
    '/faults': {
      get: (_, response) => void response.json({ faults: scope(response).view.injected }),
      post: [
        express.json({ limit: '20kb', strict: false }),
        ({ body }, response) => {
          injectFault(scope, response, body)
          response.status(201).json({ faults: scope(response).view.injected })
        },
      ],
      delete: changeTo('remove all injected faults', ({ view }) => view.clearFaults()),
    },
    '/journal': {
      get: async (request, response) => {
        const { searchParams } = new URL(request.originalUrl, 'http://localhost')
        // A pattern from outside must not take exponential time, so it is compiled to one that takes linear time.
        const entries = scope(response).view.find(readFilter(searchParams), { compilePattern })
        response.type('json')
        // It fails when the client leaves.
        await pipeline(journalJson(entries), response).catch(() => {})
      },
      delete: (request, response, next) => {
        const [filter] = Object.keys(request.query).filter((name) => name !== 'session')
        if (filter !== undefined)
          throw new ControlError(
            `Expected DELETE /_mock/journal without a filter, got '${shorten(filter)}'. Only session=... limits it.`,
          )
        changeTo('clear the journal', ({ view }) => view.clearJournal())(request, response, next)
      },
    },
    '/explain': {
      post: [
        // Of a compressed body, few bytes would take much room.
        express.json({ limit: Math.max(MIN_EXPLAIN_BYTES, engine.bodyLimit), strict: false, inflate: false }),
        async ({ body }, response) => {
          if (!isObject(body)) {
            throw new ControlError(
              'Expected a request to explain. Send JSON like {"body": {"model": "echo-1", "messages": [...]}}, with Content-Type: application/json.',
            )
          }
          const explaining = engine.explain({ transport: 'http', ...body }, scope(response).view.session)
          Object.assign(response.locals, { explaining })
          response.json(await explaining)
        },
      ],
    },
    '/report': {
      get: (_, response) => {
        const { view } = scope(response)
        response.json({
          clock: { now: engine.clock.now(), speed: engine.clock.speed },
          journal: view.missingCalls,
          timing: view.timing.report(),
          conduct: buildMockReport(view),
        })
      },
    },
    '/reset': { post: changeTo('reset', ({ view }) => engine.reset(view.session)) },
  }
}

/** Injects the fault in a body: `{"fault": "rate-limit", "times": 2}`. With `"like": 7`, only for calls like number 7 of the journal. */
function injectFault(scope: FindScope, response: Response, body: unknown): void {
  const { fault, like, ...options } = isObject(body) ? body : {}
  if (typeof fault !== 'string' && typeof fault !== 'number') {
    throw new ControlError(
      'Expected a fault in the body. Send JSON like {"fault": "server-error", "times": 2}, with Content-Type: application/json.',
    )
  }
  const call = typeof like === 'number' ? scope(response).view.call(like)?.toJSON() : undefined
  if (like !== undefined && call === undefined) {
    throw new ControlError(
      `Failed to inject: expected like to be the number of a call in the journal, got ${describeGiven(like)}. GET /_mock/journal lists the calls.`,
    )
  }
  const { view, changed } = scope(response, options.session ?? call?.session)
  view.inject(fault, options as InjectOptions, call)
  changed(`inject ${fault}`)
}
