/** The routes of the control plane that read and change the scenario and its state. */
import express, { type Request, type Response } from 'express'
import { stringify } from 'yaml'
import { MockError } from '../core/errors/mock-error.ts'
import { builtInScenarios } from '../core/scenario/built-in.ts'
import { compileScenario, type Scenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { checkScenario } from '../core/scenario/yaml/parse-scenario.ts'
import { didYouMean, nearest } from '../core/text/did-you-mean.ts'
import { isObject, parseJson } from '../core/text/json.ts'
import type { Engine } from '../engine/engine.ts'
import { isBuiltIn, isFile, type LoadedScenario, loadScenario } from '../scenario-files/load-scenario.ts'
import { ControlError } from './control-error.ts'
import type { RouteTable } from './route-table.ts'

export function scenarioRoutes(engine: Engine): RouteTable {
  // One parser reads both YAML and JSON, with lines and columns.
  const text = express.text({ limit: '1mb', type: () => true })
  const sendState = (response: Response): void => {
    const { state = null, scenario } = engine
    response.json({ state, states: [...(scenario.states?.byName.keys() ?? [])] })
  }
  return {
    '/scenario': {
      get: (_, response) => sendScenario(engine, response),
      put: [
        text,
        async (request, response) => {
          const { name, source, warnings, text } = await readScenario(request)
          const scenario = compileScenario(source, { name, compilePattern })
          if (text !== undefined) texts.set(scenario, text)
          engine.use(scenario)
          sendScenario(engine, response, { warnings })
        },
      ],
    },
    '/scenarios': {
      get: (_, response) => {
        const all = Object.entries(builtInScenarios)
        response.json({ scenarios: all.map(([name, { description }]) => ({ name, description })) })
      },
    },
    '/state': {
      get: (_, response) => sendState(response),
      put: [
        express.json({ limit: '20kb', strict: false }),
        (request, response) => {
          enterState(engine, request.body)
          sendState(response)
        },
      ],
    },
  }
}

/** The texts of scenarios as they were sent, with their comments. */
const texts = new WeakMap<Scenario, string>()

function sendScenario({ scenario }: Engine, response: Response, more: object = {}): void {
  const { name, description, source } = scenario
  const text = texts.get(scenario) ?? stringify(source, { lineWidth: 0, aliasDuplicateObjects: false })
  response.json({ name, description, source, text, ...more })
}

function enterState(engine: Engine, body: unknown): void {
  const { state, ...options } = isObject(body) ? body : {}
  if (typeof state !== 'string') {
    throw new ControlError(
      400,
      'Expected a state in the body. Send JSON like {"state": "down"}, with Content-Type: application/json.',
    )
  }
  engine.enter(state, options)
}

/** A built-in scenario by name (`{"scenario": "flaky"}`), or a whole one as YAML or JSON. Never a file of this machine. */
async function readScenario(request: Request): Promise<LoadedScenario & { readonly text?: string }> {
  const text = typeof request.body === 'string' ? request.body : ''
  const name = readName(text)
  if (name === undefined) return { name: 'over the control plane', ...checkScenario(text, 'body'), text }
  if (isFile(name)) {
    throw new ControlError(
      400,
      `Expected the name of a built-in scenario, or a scenario as YAML or JSON, got the file '${name}'. Send the file's text: curl -X PUT --data-binary @file.yaml <url>/_mock/scenario`,
    )
  }
  if (isBuiltIn(name)) return loadScenario(name)
  const near = didYouMean(name, Object.keys(builtInScenarios))
  throw new MockError(
    'unknown-scenario',
    `Unknown scenario '${name}'.${near} GET /_mock/scenarios lists the built-in scenarios. Name one of them, or send a scenario as YAML or JSON.`,
  )
}

/** The name in `{"scenario": "name"}`; undefined for any other text. A misspelt `scenario` is an error. */
function readName(text: string): string | undefined {
  const body = parseJson(text)
  if (!isObject(body)) return undefined
  if (typeof body.scenario === 'string') return body.scenario
  const [near] = nearest('scenario', Object.keys(body))
  const name = near === undefined ? undefined : body[near]
  if (typeof name !== 'string') return undefined
  const meant = `{"scenario": ${JSON.stringify(name)}}`
  throw new ControlError(400, `The body has no field 'scenario', but '${near}'. Did you mean ${meant}?`)
}
