/**
 * The rehearsal in process: a function runs as it is, and once with each model that the app may move to. `rehearse` is what
 * users import from `llm-api-mock/rehearse`.
 */

import { checkOptions, invalidOption, type OptionChecks, TEXT } from '../core/protocol/errors/check-options.ts'
import { MockError } from '../core/protocol/errors/mock-error.ts'
import { engineOf, MOCK_OPTIONS } from '../engine/index.ts'
import { createMock, type Mock, type ScenarioChoice } from '../index.ts'
import { HUNT_JOURNAL, type Played, Stage } from '../play/index.ts'
import { driveRehearsal, type RehearsalPlayer } from './drive-rehearsal.ts'
import type { RehearsalReport } from './rehearsal-report.ts'
import { writeRehearsal } from './write-rehearsal.ts'

export interface RehearseOptions {
  /** The models to move to: names of the table of models or of the scenario, or `retire`. */
  readonly to: string | readonly string[]
  /** The model that is replaced. Default: every one. */
  readonly from?: string | undefined
  /** The address that the function calls. Default: `https://api.openai.com/v1`. */
  readonly baseURL?: string | undefined
  /** Overrides the scenario's seed. */
  readonly seed?: number | string | undefined
}

const OPTIONS: OptionChecks<RehearseOptions> = {
  to: {
    expected: "a model, a list of models, or 'retire'",
    isValid: (value) => {
      const models = [value].flat()
      return models.length > 0 && models.every((model) => typeof model === 'string' && model !== '')
    },
  },
  from: TEXT,
  baseURL: MOCK_OPTIONS.baseURL,
  seed: MOCK_OPTIONS.seed,
}

/** Something would break with another model. The message is the report, and `report` has it as data. */
export class RehearsalError extends MockError {
  override readonly name = 'RehearsalError'
  readonly report: RehearsalReport

  constructor(report: RehearsalReport) {
    const message = writeRehearsal.pretty(report, (_, text) => text)
    super('breaks-with-model', message)
    this.report = report
  }
}

/**
 * Shows what breaks and what changes when an app moves to another model. It runs the function as it is, and once with each
 * of the models in `to` in place of today's, in virtual time.
 * @param choice the scenario that the function runs against
 * @param app the actions of a user of the app; it fails by throwing
 * @returns the report, when nothing would break
 * @throws RehearsalError when something would break; MockError when the function fails as it is, or makes no call
 * @example await rehearse('default', { to: 'gpt-6-luna' }, (mock) => answer(new OpenAI({ apiKey: mock.scenario.exampleKey })))
 */
export async function rehearse(
  choice: ScenarioChoice,
  options: RehearseOptions,
  app: (mock: Mock) => Promise<unknown>,
): Promise<RehearsalReport> {
  checkOptions<RehearseOptions>('rehearse', options, OPTIONS)
  if (typeof app !== 'function') throw invalidOption('rehearse', 'app', 'a function', app)
  const { to, from, baseURL, seed } = options
  const mock = createMock(choice, { baseURL, seed, journal: HUNT_JOURNAL })
  const { source, name, seed: usedSeed } = mock.scenario
  const engine = engineOf(mock)
  const stage = new Stage(mock)
  const player: RehearsalPlayer = {
    name: 'the function',
    failureHint: 'Make it pass first.',
    callsHint: 'Give its client the address mock.baseURL.',
    play: async (scenario, prepare): Promise<Played> => {
      engine.use(scenario)
      mock.reset()
      prepare(engine)
      const end = await stage.run(() => app(mock), { isQuiet: true })
      return { ...end, isPassed: !('error' in end), output: stage.printed, entries: mock.journal }
    },
  }
  try {
    const report = await driveRehearsal(player, source, { to: [to].flat(), from }, { name, seed: usedSeed })
    if (report.targets.some(({ isBroken }) => isBroken)) throw new RehearsalError(report)
    return report
  } finally {
    stage.close()
  }
}
