/**
 * The rules of the scenario grammar that are functions at run time, in JSON Schema: for scenario.schema.json, because an
 * editor cannot ask the fault catalogue.
 */
import * as z from 'zod'
import { DURATION_PATTERN } from '../src/core/lib/text/duration.ts'
import type { OptionSpec } from '../src/core/protocol/faults/fault.ts'
import { faultNamed } from '../src/core/protocol/faults/read-fault.ts'
import { OPTION_NAMES } from '../src/core/scenario/compile/fault-settings.ts'
import { IGNORED_PATH } from '../src/core/scenario/compile/ignore.ts'
import {
  FAULT_NAMES,
  faultName,
  faultRule,
  optionFields,
  takesOption,
} from '../src/core/scenario/grammar/fault-fields.ts'
import { modelSettings } from '../src/core/scenario/grammar/model-fields.ts'
import { REPLY_FIELDS, reply } from '../src/core/scenario/grammar/reply-fields.ts'
import { ignored, keySettings } from '../src/core/scenario/grammar/scenario-schema.ts'
import { STATE_NAME, states } from '../src/core/scenario/grammar/state-fields.ts'

const STATUSES = '^[45][0-9][0-9]$'
/** A number or its text. */
const numberJson = (pattern: string, minimum: number, maximum?: number, type = 'integer'): object[] => [
  { type, minimum, ...(maximum !== undefined && { maximum }) },
  { type: 'string', pattern },
]
const NUMBER_JSON: Record<Exclude<OptionSpec['kind'], 'choice'>, object[]> = {
  duration: numberJson(`^\\d+(\\.\\d+)?$|${DURATION_PATTERN.source}`, 0, undefined, 'number'),
  count: numberJson('^\\d{1,9}$', 0, 999_999_999),
  size: numberJson('^[1-9]\\d{0,8}$', 1, 999_999_999),
  status: numberJson(STATUSES, 400, 599),
}

/** Adds the rules to the schemas of the grammar, which `z.toJSONSchema` then writes. */
export function addEditorRules(): void {
  add(faultName, { anyOf: [{ enum: FAULT_NAMES }, ...numberJson(STATUSES, 400, 599)] })
  for (const name of OPTION_NAMES) {
    const owner = FAULT_NAMES.find((fault) => takesOption(fault, name))!
    const spec = faultNamed(owner)!.options[name]!
    const anyOf = spec.kind === 'choice' ? [{ enum: spec.of }] : NUMBER_JSON[spec.kind]
    add(optionFields[name], { anyOf })
  }
  add(reply, {
    oneOf: REPLY_FIELDS.map((name) => ({ required: [name] })),
    dependentRequired: { finish: ['say'] },
    ...OPTION_RULES,
  })
  add(keySettings, OPTION_RULES)
  add(faultRule, OPTION_RULES)
  add(modelSettings, PRICE_RULES)
  add(ignored, { pattern: `^/.+/[a-z]*$|${IGNORED_PATH.source}` })
  add(states, { minProperties: 1, propertyNames: { pattern: STATE_NAME.source } })
}

const add = (schema: z.ZodType, rules: object): unknown =>
  z.globalRegistry.add(schema, { ...z.globalRegistry.get(schema), ...rules })

/** The rule of `checkFault`: an option needs a fault that has it. */
const statuses = Array.from({ length: 200 }, (_, index) => 400 + index)
const known = [...FAULT_NAMES, ...statuses, ...statuses.map(String)]
const OPTION_RULES = {
  allOf: OPTION_NAMES.map((name) => {
    const owners = known.filter((fault) => takesOption(fault, name))
    const others = known.filter((fault) => !takesOption(fault, name))
    // The shorter list: an option of the fault `status` has hundreds of owners.
    const fault = owners.length <= others.length ? { enum: owners } : { not: { enum: others } }
    return { anyOf: [{ not: { required: [name] } }, { required: ['fault'], properties: { fault } }] }
  }),
}

/** The rule of `checkPrices`. */
const PRICE_RULES = {
  allOf: [
    {
      anyOf: [
        { not: { required: ['prices'] } },
        { properties: { prices: { required: ['output'] } } },
        { required: ['endpoint'], properties: { endpoint: { const: 'embeddings' } } },
      ],
    },
  ],
}
