/**
 * The control plane under `/_mock`: health, scenario, state, faults, journal, report, metrics and reset, and the user's
 * own msw handlers.
 */
import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express'
import type { Registry } from 'prom-client'
import { stringify } from 'yaml'
import { reportOf } from '../core/conduct/report.ts'
import { envelope } from '../core/errors/catalogue.ts'
import { MockError } from '../core/errors/mock-error.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import { FilterError } from '../core/journal/filter/conditions.ts'
import { readFilter } from '../core/journal/filter/read-filter.ts'
import type { Explanation } from '../core/pipeline/explain.ts'
import type { Scenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { checkScenario } from '../core/scenario/yaml/parse-scenario.ts'
import { maskKeysInPath } from '../core/text/mask-keys.ts'
import type { Engine } from '../engine/engine.ts'
import type { InjectOptions } from '../engine/injection.ts'
import type { ListenOptions } from '../http/listen-options.ts'
import { compileLoaded } from '../scenario-files/compile-loaded.ts'
import { isFile, type LoadedScenario, loadScenario } from '../scenario-files/load-scenario.ts'
import { bearerOf, checkOrigin, checkToken } from './access-control.ts'
import { consoleRoutes, pageFiles } from './console-routes.ts'
import { allowOnly, ControlError } from './control-error.ts'
import { userHandlers } from './user-handlers.ts'

/** The Express app of a mock's control plane; what it streams ends when `closing` aborts. */
export async function createControlPlane(
  engine: Engine,
  options: ListenOptions,
  closing: AbortSignal,
): Promise<express.Express> {
  const app = express()
  app.disable('x-powered-by')
  app.use('/_mock', sayPrivate, checkOrigin(options), pageFiles(), checkToken(options))
  app.use('/_mock', controlRoutes(engine), consoleRoutes(engine, closing))
  if (options.handlers !== undefined) app.use(await userHandlers(options.handlers))
  app.use(({ method, path, headers }) => {
    throw new ControlError(404, `Invalid URL (${method} ${maskKeysInPath(path, bearerOf(headers.authorization))})`)
  })
  app.use(answerProblem)
  return app
}

/** No page of elsewhere may take an answer for a script, a picture or a style. */
const sayPrivate: RequestHandler = (_, response, next) => {
  response.set({ 'x-content-type-options': 'nosniff', 'cross-origin-resource-policy': 'same-origin' })
  next()
}

function controlRoutes(engine: Engine): express.Router {
  const router = express.Router()
  let metrics: Promise<Registry> | undefined
  // Up to a thousand faults wait, each with the key it is for.
  const json = express.json({ limit: '20kb' })
  // A scenario may come as YAML or JSON text: both are read by the one parser that knows lines and columns.
  const text = express.text({ limit: '1mb', type: () => true })

  router.get('/', (_, response) => {
    response.json({ see: ROUTES })
  })
  router
    .route('/health')
    .get((_, response) => {
      response.json({ status: 'ok', scenario: engine.scenario.name, state: engine.state })
    })
    .all(allowOnly('GET'))
  router
    .route('/scenario')
    .get((_, response) => sendScenario(engine, response))
    .put(text, async (request, response) => {
      const { name, source, warnings, text } = await chosenScenario(request)
      const scenario = await compileLoaded(source, name)
      if (text !== undefined) texts.set(scenario, text)
      engine.use(scenario)
      sendScenario(engine, response, { warnings })
    })
    .all(allowOnly('GET', 'PUT'))
  router
    .route('/state')
    .get((_, response) => sendState(engine, response))
    .put(json, (request, response) => {
      enterState(engine, request.body)
      sendState(engine, response)
    })
    .all(allowOnly('GET', 'PUT'))
  router
    .route('/faults')
    .get((_, response) => {
      response.json({ faults: engine.injected })
    })
    .post(json, (request, response) => {
      injectFault(engine, request.body)
      response.status(201).json({ faults: engine.injected })
    })
    .delete((_, response) => {
      engine.clearFaults()
      response.status(204).end()
    })
    .all(allowOnly('GET', 'POST', 'DELETE'))
  router
    .route('/journal')
    .get((request, response) => {
      response.json({ entries: filtered(engine, request) })
    })
    .delete((_, response) => {
      engine.clearJournal()
      response.status(204).end()
    })
    .all(allowOnly('GET', 'DELETE'))
  router
    .route('/explain')
    .post(express.json({ limit: '1mb' }), async (request, response) => {
      response.json(await explain(engine, request.body))
    })
    .all(allowOnly('POST'))
  router
    .route('/report')
    .get((_, response) => {
      response.json({ timing: engine.timing.report(), conduct: reportOf(engine.journal, engine.usage) })
    })
    .all(allowOnly('GET'))
  router
    .route('/metrics')
    .get(async (_, response) => {
      metrics ??= import('./metrics.ts').then(({ metricsOf }) => metricsOf(engine))
      const registry = await metrics
      response.type(registry.contentType).send(await registry.metrics())
    })
    .all(allowOnly('GET'))
  router
    .route('/reset')
    .post((_, response) => {
      engine.reset()
      response.status(204).end()
    })
    .all(allowOnly('POST'))
  return router
}

const ROUTES = [
  'GET /_mock/health',
  'GET|PUT /_mock/scenario',
  'GET /_mock/scenarios',
  'GET|PUT /_mock/state',
  'GET|POST|DELETE /_mock/faults',
  'GET /_mock/faults/catalogue',
  'GET|DELETE /_mock/journal',
  'GET /_mock/journal/<number>',
  'GET /_mock/events',
  'GET /_mock/limits',
  'POST /_mock/explain',
  'GET /_mock/report',
  'GET /_mock/metrics',
  'POST /_mock/reset',
]

// With its comments, as it was sent.
const texts = new WeakMap<Scenario, string>()

/** A scenario as YAML: as it was sent here, or else written anew. */
const textOf = (scenario: Scenario): string =>
  texts.get(scenario) ?? stringify(scenario.source, { lineWidth: 0, aliasDuplicateObjects: false })

function sendScenario({ scenario }: Engine, response: Response, more: object = {}): void {
  const { name, description, source } = scenario
  response.json({ name, description, source, text: textOf(scenario), ...more })
}

/** The state in force and all there are; null and none for a scenario without states. */
function sendState({ state, scenario }: Engine, response: Response): void {
  response.json({ state: state ?? null, states: [...(scenario.states?.byName.keys() ?? [])] })
}

function enterState(engine: Engine, body: unknown): void {
  const { state } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  if (typeof state !== 'string') {
    throw new ControlError(
      400,
      'Found no state in the body. Send JSON like {"state": "down"}, with Content-Type: application/json.',
    )
  }
  try {
    engine.enter(state)
  } catch (error) {
    throw new ControlError(400, (error as Error).message)
  }
}

/** A built-in scenario by name (`{"scenario": "flaky"}`), or a whole one as YAML or JSON text. Never a file of this machine. */
async function chosenScenario(request: Request): Promise<LoadedScenario & { readonly text?: string }> {
  const text = typeof request.body === 'string' ? request.body : ''
  const name = nameIn(text)
  if (name === undefined) return { name: 'over the control plane', ...checkScenario(text, 'body'), text }
  if (isFile(name)) {
    throw new ControlError(
      400,
      `Found '${name}': the control plane takes the name of a built-in scenario, or a whole scenario as YAML or JSON, but no file. Send the file's text instead: curl -X PUT --data-binary @file.yaml <url>/_mock/scenario`,
    )
  }
  return loadScenario(name).catch((error: Error) => {
    throw new ControlError(404, error.message)
  })
}

/** The name in `{"scenario": "name"}`; undefined for any other text. */
function nameIn(text: string): string | undefined {
  try {
    const { scenario } = JSON.parse(text) as { scenario?: unknown }
    return typeof scenario === 'string' ? scenario : undefined
  } catch {
    return undefined
  }
}

/** The calls that the query names, all without one; its patterns are matched in linear time, as those of scenarios. */
function filtered(engine: Engine, { originalUrl }: Request): readonly JournalEntry[] {
  const { searchParams } = new URL(originalUrl, 'http://localhost')
  try {
    return engine.calls(readFilter(searchParams), { compilePattern })
  } catch (error) {
    throw error instanceof FilterError ? new ControlError(400, error.message) : error
  }
}

function injectFault(engine: Engine, body: unknown): void {
  const { fault, ...options } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>
  if (typeof fault !== 'string' && typeof fault !== 'number') {
    throw new ControlError(
      400,
      'Found no fault in the body. Send JSON like {"fault": "server-error", "times": 2}, with Content-Type: application/json.',
    )
  }
  try {
    engine.inject(fault, options as InjectOptions)
  } catch (error) {
    throw new ControlError(400, (error as Error).message)
  }
}

/** What the call in the body would get: `{ method?, path?, key?, headers?, body? }`. */
async function explain(engine: Engine, body: unknown): Promise<Explanation> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ControlError(
      400,
      'Expected a request to explain. Send JSON like {"body": {"model": "echo-1", "messages": [...]}}, with Content-Type: application/json.',
    )
  }
  try {
    return await engine.explain({ transport: 'http', ...body })
  } catch (error) {
    throw error instanceof MockError ? new ControlError(400, error.message) : error
  }
}

/** Whatever went wrong, in the envelope; what is no fault of the caller is a 500. */
const answerProblem: ErrorRequestHandler = (
  error: Error & { status?: number; problems?: unknown },
  _request,
  response,
  next,
) => {
  if (response.headersSent) return next(error)
  const status = error.problems !== undefined ? 400 : (error.status ?? 500)
  const type = status < 500 ? 'invalid_request_error' : 'server_error'
  response.status(status).json(envelope(error.message, type))
}
