/**
 * The scenario grammar: one zod schema, the source of the types, of the checks and of scenario.schema.json.
 *
 * The message of every schema is only what is expected, because check-source.ts writes "expected X, got Y" around it. For
 * an unknown key it is the list of known keys. What a schema cannot say, such as that two fields exclude each other, is a
 * function `check...` beside the fields. It runs for values of a wrong shape too, so that one message does not hide another.
 * Durations, rates and patterns stay text here; compile/ turns them into numbers and functions.
 */

import * as z from 'zod'
import { isObject } from '../../lib/text/json.ts'
import { SESSION_NAME, SESSION_NAMES } from '../../protocol/request/request-path.ts'
import { IGNORED_PATH } from '../compile/ignore.ts'
import { patternParts } from '../compile/pattern-text.ts'
import { expectations } from './expect-fields.ts'
import {
  checkLoneOptions,
  checkScheduledFault,
  FAULT,
  faultName,
  faultRules,
  optionFields,
  skip,
} from './fault-fields.ts'
import { byName, checkedBy, checkPattern, either, list, mapOf, nonEmpty, oneOf, text } from './fields.ts'
import { budget, checkBudgets, checkSharedLimits, limits, scenarioLimits } from './limit-fields.ts'
import { CACHE, cache, modelSettings } from './model-fields.ts'
import { pace } from './pace-fields.ts'
import { reply } from './reply-fields.ts'
import { checkStates, states } from './state-fields.ts'

const SCENARIO = 'the name of a built-in scenario, or of a file beside this one'

export const keySettings = mapOf(
  {
    limits: limits.describe("limits of this key; each kind replaces the scenario's limit of that kind"),
    budget: budget.describe("budget of this key; each unit replaces the scenario's budget in that unit"),
    fault: faultName.describe(`applies to every call with this key: ${FAULT}`),
    session: text(SESSION_NAME, SESSION_NAMES).describe(
      `the session of the calls with this key: ${SESSION_NAMES}. Default: the one that a call names, or with scenario the name of its file`,
    ),
    scenario: either([nonEmpty(SCENARIO), z.custom(isObject).meta({ inCode: 'ScenarioInput' })], SCENARIO).describe(
      `the scenario of this session, in place of this one: ${SCENARIO}, or in code a scenario`,
    ),
    ...optionFields,
    skip,
  },
  'the settings of a key, or {} for none',
).superRefine(...checkedBy([checkScheduledFault, checkLoneOptions]))

const IGNORED = 'a path such as metadata.trace_id or messages[*].name, or a pattern such as /\\d{4}-\\d\\d/'
export const ignored = z
  .string({ error: IGNORED })
  .refine((value) => patternParts(value) !== undefined || IGNORED_PATH.test(value), { error: IGNORED })
  .superRefine(...checkedBy([checkPattern]))

const SEED = 'a whole number or a text'
const SEED_RANGE = `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, or a text`

/** The whole file. */
export const scenarioSchema = mapOf(
  {
    $schema: z.string({ error: 'text' }).describe('the address of the JSON Schema, for editors'),
    description: nonEmpty('a sentence').describe('A sentence about what this scenario shows.'),
    seed: either([z.int({ error: SEED_RANGE }), z.string()], SEED).describe(
      `the seed of all random choices: ${SEED}. Default: 1`,
    ),
    validation: oneOf(['strict', 'lenient']).describe(
      'strict: unknown parameters are a 400, as in the real service. lenient (default): they are accepted and noted',
    ),
    keys: byName(keySettings, 'keys with their settings, such as { sk-test: {} }').describe(
      'accepted keys; * matches any characters. Default: any key (a key is required)',
    ),
    models: byName(modelSettings, 'models with their settings, such as { echo-1: {} }', true).describe(
      'known models; * matches any characters. Default: any model name',
    ),
    replies: list(reply, 'a list of rules').describe(
      'reply rules; the first match answers. Without a match, see unmatched',
    ),
    ignore: list(ignored, 'a list of paths and patterns').describe(
      `parts of a request that may differ from the recorded one (when.request): ${IGNORED}`,
    ),
    unmatched: oneOf(['echo', 'refuse']).describe(
      'the answer to a chat that no rule matches. echo (default): it gets its last user message back. refuse: it gets a 404 that names the nearest rule',
    ),
    limits: scenarioLimits,
    budget: budget.describe(
      'the total that each key may use; it does not refill, and a call after its end is a 429 insufficient_quota',
    ),
    cache: cache.describe(`the prompt cache of each key: ${CACHE}. Default: none`),
    pace: pace.describe('the latency of answers'),
    faults: faultRules.describe('faults that apply without being asked for; the first rule that matches decides'),
    states,
    expect: expectations.describe('the expectations of a run; api-mock run fails when one is not met'),
  },
  'a map, such as `description: My first scenario`',
)
  .superRefine(...checkedBy([checkStates, checkBudgets, checkSharedLimits]))
  .meta({
    title: 'llm-api-mock scenario',
    description: 'A scenario of llm-api-mock: keys, models, replies, limits, budgets, faults and states.',
  })
