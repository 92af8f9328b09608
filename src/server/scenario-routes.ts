/** The routes of the control plane that read and change the scenario and its state. */
import { fileURLToPath } from 'node:url'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { didYouMean, nearest } from '../core/lib/text/did-you-mean.ts'
import { isObject, parseJson } from '../core/lib/text/json.ts'
import { shorten } from '../core/lib/text/wording.ts'
import { checkOptions } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { changesBetween } from '../core/scenario/check/changes.ts'
import { ScenarioError } from '../core/scenario/check/problem.ts'
import { compileScenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { plainSource } from '../core/scenario/scenario-source.ts'
import { checkScenario } from '../core/scenario/yaml/parse-scenario.ts'
import { type Engine, type MockView, namedScenarios, resolveSessions, SESSION_OPTIONS } from '../engine/index.ts'
import { isBuiltIn, isFile, type LoadedScenario, loadScenario, loadSessions, MAX_BYTES } from '../engine/node.ts'
import { builtInScenarios } from '../generated/built-in.ts'
import { ControlError, type RouteTable } from './route-table.ts'
import type { ScenarioFile } from './scenario-file.ts'
import { formatScenario, hidePassword, keepText, restorePassword, textOf } from './scenario-text.ts'
import type { FindScope, Scope } from './scope.ts'

/** The folder of the package, from the sources and from the built package. */
const PACKAGE = fileURLToPath(new URL('../../', import.meta.url))

/** The end of the name of a scenario that the page has changed. */
const EDITED = ' (edited)'

/** The route that writes the scenario file of the server. */
export function fileRoutes(engine: Engine, file: ScenarioFile | undefined, scope: FindScope): RouteTable {
  /** Saves a valid scenario to the file, and applies it. */
  const save: RequestHandler = async (request, response) => {
    if (file === undefined)
      throw new ControlError('This server has no scenario file. Start it with --scenario scenario.yaml.', 404)
    const text = readText(request, engine.view)
    const { source: written, warnings } = checkScenario(text, 'body', MAX_BYTES)
    // A client must not make the server read any file of this machine.
    const { named = [] } = await file.read()
    const added = namedScenarios(written).find((name) => isFile(name) && !named.includes(name))
    if (added !== undefined)
      throw new ControlError(
        `Not saved: the file does not name '${added}' yet. Write it into the file on disk first.`,
        403,
      )
    const source = await loadSessions(written, text, file.path)
    const scenario = compileScenario(source, { name: file.path, seed: overridingSeed(engine.view), compilePattern })
    await file.save(text, request.query.version)
    // As with --watch, a change of comments resets nothing.
    if (engine.scenario.name === file.path) engine.reload(scenario)
    else engine.use(scenario)
    keepText(engine.scenario, text)
    scope(response).changed('save and apply the scenario file')
    await sendScenario(scope(response), file, response, { warnings })
  }
  return { '/scenario/file': { put: [textUpTo(MAX_BYTES), save] } }
}

export function scenarioRoutes(engine: Engine, file: ScenarioFile | undefined, scope: FindScope): RouteTable {
  /** Applies a scenario to the mock, or to the session that the request is limited to. */
  const apply: RequestHandler = async (request, response) => {
    checkOptions('PUT /_mock/scenario', { ...request.query }, { session: true, edited: true })
    const { view, changed } = scope(response)
    const { name, source, warnings, text } = await readScenario(readText(request, view))
    // The page sends the text of the active scenario with changes. Its file, if it has one, is not changed.
    const isEdit = text !== undefined && request.query.edited === 'true'
    const newName = isEdit ? view.scenario.name.replace(EDITED, '') + EDITED : name
    const seed = isEdit ? overridingSeed(view) : undefined
    engine.use(compileScenario(resolveSessions(source), { name: newName, seed, compilePattern }), view.session)
    if (text !== undefined) keepText(scope(response).view.scenario, text)
    changed(isEdit || text === undefined ? `apply the scenario ${newName}` : 'apply a whole scenario')
    await sendScenario(scope(response), file, response, { warnings })
  }
  const remove: RequestHandler = (_, response) => {
    const { view, changed } = scope(response)
    const { session } = view
    if (session === undefined) throw new ControlError('Name the session whose scenario is removed: ?session=team-a.')
    if (!engine.release(session))
      throw new ControlError(`The session '${session}' has no scenario of its own to remove.`, 404)
    changed('remove the scenario')
    response.status(204).end()
  }
  /** Sends all problems of a text, and the warnings if it can be applied; applies nothing. */
  const check: RequestHandler = (request, response) => {
    try {
      const { warnings } = checkScenario(readText(request, scope(response).view), 'body')
      response.json({ problems: [], warnings })
    } catch (error) {
      if (!(error instanceof ScenarioError)) throw error
      response.json({ problems: error.problems, warnings: [] })
    }
  }
  const enterState: RequestHandler = ({ body }, response) => {
    const { state, ...options } = isObject(body) ? body : {}
    if (typeof state !== 'string') {
      throw new ControlError(
        'Expected a state in the body. Send JSON like {"state": "down"}, with Content-Type: application/json.',
      )
    }
    const { view, changed } = scope(response, options.session)
    checkOptions('enter', options, SESSION_OPTIONS)
    view.enter(state)
    changed(`enter the state ${state}`)
    sendState(scope(response), response)
  }
  return {
    '/scenario': {
      get: (_, response) => sendScenario(scope(response), file, response),
      put: [textUpTo('1mb'), apply],
      delete: remove,
    },
    // The file of the package, for editors.
    '/scenario/schema': {
      get: (_, response) => response.sendFile('scenario.schema.json', { root: PACKAGE, cacheControl: false }),
    },
    '/scenario/check': { post: [textUpTo('1mb'), check] },
    '/scenarios': {
      get: (_, response) => {
        const all = Object.entries(builtInScenarios)
        response.json({ scenarios: all.map(([name, { description }]) => ({ name, description })) })
      },
    },
    '/scenarios/:name': {
      get: ({ params: { name = '' } }, response) => {
        const source = isBuiltIn(name) ? builtInScenarios[name] : undefined
        if (source === undefined) throw unknownScenario(name, 'Name one of them.')
        response.json({ name, description: source.description, text: formatScenario(source) })
      },
    },
    '/state': {
      get: (_, response) => sendState(scope(response), response),
      put: [express.json({ limit: '20kb', strict: false }), enterState],
    },
  }
}

/** Reads a body as text, whatever its type says: one parser reads both YAML and JSON, with lines and columns. */
const textUpTo = (limit: number | string): RequestHandler => express.text({ limit, type: () => true, inflate: false })

/**
 * Sends the active scenario; with the file of the server, if the answer is not limited to a session.
 * @param more other fields of the answer.
 */
async function sendScenario(
  { view }: Scope,
  file: ScenarioFile | undefined,
  response: Response,
  more: object = {},
): Promise<void> {
  const { scenario, session } = view
  const { name, description, source, exampleKey } = scenario
  const shownFile = session === undefined ? file : undefined
  const { source: sourceInFile, named: _, ...content } = (await shownFile?.read()) ?? { path: '' }
  // With the comments of the file, if it has this very scenario.
  const isInFile = sourceInFile !== undefined && changesBetween(sourceInFile, source).length === 0
  const text = textOf(scenario, isInFile ? content.text : undefined)
  // The file may change while this scenario stays active.
  if (isInFile) keepText(scenario, text)
  const fields = { name, description, exampleKey, source: plainSource(source), text }
  const body = { ...fields, ...(shownFile && { file: content }), ...more }
  const hidePasswords = (_: string, value: unknown): unknown =>
    typeof value === 'string' ? hidePassword(hidePassword(value, source), sourceInFile) : value
  response.type('json').send(JSON.stringify(body, hidePasswords))
}

function sendState({ view: { position, scenario } }: Scope, response: Response): void {
  response.json({ state: position?.state ?? null, states: [...(scenario.states?.byName.keys() ?? [])] })
}

/** The scenario in a request. Its text may come from a reader to whom the password of the store was hidden. */
const readText = ({ body }: Request, { scenario }: MockView): string =>
  typeof body === 'string' ? restorePassword(body, scenario.source) : ''

/** The seed that overrides that of the source; undefined without one. */
const overridingSeed = ({ scenario: { seed, source } }: MockView): string | undefined =>
  seed === String(source.seed ?? 1) ? undefined : seed

/**
 * Reads a built-in scenario by name (`{"scenario": "flaky"}`), or a whole one as YAML or JSON. Never a file of this machine.
 * @returns with `text` for a whole one only.
 */
async function readScenario(text: string): Promise<LoadedScenario & { readonly text?: string }> {
  const parsed = parseJson(text)
  const body = isObject(parsed) ? parsed : {}
  const [near] = Object.hasOwn(body, 'scenario') ? [] : nearest('scenario', Object.keys(body))
  // No whole scenario has a text in a field of such a name.
  if (near !== undefined && typeof body[near] === 'string') {
    const example = `{"scenario": ${JSON.stringify(body[near])}}`
    throw new ControlError(`The body has no field 'scenario', but '${near}'. Did you mean ${example}?`)
  }
  if (!Object.hasOwn(body, 'scenario')) return { name: 'over the control plane', ...checkScenario(text, 'body'), text }
  const { scenario: name } = body
  if (typeof name !== 'string') {
    throw new ControlError(
      `Expected the name of a built-in scenario as 'scenario', got ${shorten(JSON.stringify(name))}. Send JSON like {"scenario": "flaky"}, or a whole scenario as YAML or JSON.`,
    )
  }
  if (isFile(name)) {
    throw new ControlError(
      `Expected the name of a built-in scenario, or a scenario as YAML or JSON, got the file '${name}'. Send the file's text: curl -X PUT --data-binary @file.yaml <url>/_mock/scenario`,
    )
  }
  if (isBuiltIn(name)) return loadScenario(name)
  throw unknownScenario(name, 'Name one of them, or send a scenario as YAML or JSON.')
}

function unknownScenario(name: string, advice: string): MockError {
  const near = didYouMean(name, Object.keys(builtInScenarios))
  const list = 'GET /_mock/scenarios lists the built-in scenarios.'
  return new MockError('unknown-scenario', `Unknown scenario '${name}'.${near} ${list} ${advice}`)
}
