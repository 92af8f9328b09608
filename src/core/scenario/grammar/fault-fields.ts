/**
 * The fields of a fault, wherever a scenario has one: its name and, beside it, its options.
 *
 * The catalogue's own reader judges them (rule-checks.ts), so here they are wide; for editors, which can't ask the
 * catalogue, the same is said in JSON Schema, by `meta`.
 */
import * as z from 'zod'
import { DURATION_PATTERN } from '../../lib/text/duration.ts'
import type { OptionSpec } from '../../protocol/faults/fault.ts'
import { faults } from '../../protocol/faults/fault-catalogue.ts'
import { faultNamed, optionForm } from '../../protocol/faults/read-fault.ts'
import { CALL_COUNT, CALL_COUNT_PATTERN } from '../compile/call-count.ts'
import { OPTION_NAMES, type OptionName } from './fault-options.ts'
import { ownersOf, takesOption } from './rule-checks.ts'

const STATUSES = '^[45][0-9][0-9]$'
const FAULT_NAMES = faults.map(({ name }) => name)
/** What is allowed as a fault. */
export const FAULT = `a fault (${FAULT_NAMES.join(', ')}) or a status from 400 to 599`
export const faultName = z.union([z.string(), z.int()], { error: FAULT }).meta({
  description: FAULT,
  anyOf: [
    { enum: FAULT_NAMES },
    { type: 'integer', minimum: 400, maximum: 599 },
    { type: 'string', pattern: STATUSES },
  ],
})

const NUMBER_JSON: Record<Exclude<OptionSpec['kind'], 'choice'>, object[]> = {
  duration: [
    { type: 'number', minimum: 0 },
    { type: 'string', pattern: `^\\d+(\\.\\d+)?$|${DURATION_PATTERN.source}` },
  ],
  count: [
    { type: 'integer', minimum: 0, maximum: 999_999_999 },
    { type: 'string', pattern: '^\\d{1,9}$' },
  ],
  size: [
    { type: 'integer', minimum: 1, maximum: 999_999_999 },
    { type: 'string', pattern: '^[1-9]\\d{0,8}$' },
  ],
  status: [
    { type: 'integer', minimum: 400, maximum: 599 },
    { type: 'string', pattern: STATUSES },
  ],
}

const option = (name: OptionName) => {
  const spec = faults.find(({ options }) => name in options)!.options[name]!
  const allowed = optionForm(spec)
  const owners = ownersOf(name)
  const summaryOf = (owner: string): string => faultNamed(owner)!.options[name]!.summary
  const meanings = [...new Set(owners.map(summaryOf))].map(
    (summary) => `${owners.filter((owner) => summaryOf(owner) === summary).join(', ')}: ${summary}`,
  )
  return z
    .union([z.string(), z.number()], { error: allowed })
    .optional()
    .meta({ description: `${allowed} (${meanings.join('; ')})`, anyOf: jsonOf(spec) })
}

const jsonOf = (spec: OptionSpec): object[] => (spec.kind === 'choice' ? [{ enum: spec.of }] : NUMBER_JSON[spec.kind])

/** The options that a scenario writes next to a fault. */
export const optionFields = Object.fromEntries(OPTION_NAMES.map((name) => [name, option(name)])) as {
  [Name in OptionName]: ReturnType<typeof option>
}

const AFTER_CALLS = { type: 'string', pattern: CALL_COUNT_PATTERN.source }
const { description, anyOf } = optionFields.after.meta() as { description: string; anyOf: object[] }

/** The same next to a fault with a schedule, where `after` also takes a number of calls. */
export const scheduledOptionFields = {
  ...optionFields,
  after: z
    .union([z.string(), z.number()])
    .optional()
    .meta({
      description: `${CALL_COUNT}: applies after that many calls of a key for which the rest of the rule holds; or ${description}`,
      anyOf: [AFTER_CALLS, ...anyOf],
    }),
}

const rulesOf = (hasSchedule: boolean) => ({
  allOf: OPTION_NAMES.map((name) => {
    const statuses = Array.from({ length: 200 }, (_, index) => 400 + index)
    const known = [...FAULT_NAMES, ...statuses, ...statuses.map(String)]
    const owners = known.filter((fault) => takesOption(fault, name))
    const others = known.filter((fault) => !takesOption(fault, name))
    // The shorter list: an option of the fault `status` has hundreds of owners.
    const fault = owners.length <= others.length ? { enum: owners } : { not: { enum: others } }
    const isCallCount = { required: ['fault'], properties: { after: AFTER_CALLS } }
    return {
      anyOf: [
        { not: { required: [name] } },
        { required: ['fault'], properties: { fault } },
        ...(hasSchedule && name === 'after' ? [isCallCount] : []),
      ],
    }
  }),
})

/** In JSON Schema: an option needs a fault that has it. */
export const optionRules = rulesOf(false)
/** The same next to a fault with a schedule. */
export const scheduledOptionRules = rulesOf(true)
