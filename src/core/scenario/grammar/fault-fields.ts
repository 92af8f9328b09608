/**
 * The fields of `when`, made from the table of conditions; and those of a fault, wherever a scenario has one: its name, its
 * options beside it, and its schedule.
 *
 *   faults: [{ when: { user: rain }, fault: delay, by: 2s, chance: 5%, skip: 3 }]
 *                                           name   option  schedule
 *
 * The reader of the catalogue judges the options (`checkFault`), so their schemas are wide; for editors, which can't ask the
 * catalogue, scripts/editor-rules.ts says the same in JSON Schema.
 */
import * as z from 'zod'
import { DURATION_PATTERN, parseDuration } from '../../lib/text/duration.ts'
import { isObject, type JsonObject } from '../../lib/text/json.ts'
import { shorten } from '../../lib/text/wording.ts'
import { faults } from '../../protocol/faults/fault-catalogue.ts'
import { faultNamed, optionForm, readFault } from '../../protocol/faults/read-fault.ts'
import { MODEL_ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { OPTION_NAMES, type OptionName, optionsOf } from '../compile/fault-settings.ts'
import { CALL_COUNT_PATTERN } from '../compile/states.ts'
import { type ConditionForm, FORMS } from '../conditions/condition.ts'
import { conditions } from '../conditions/condition-table.ts'
import {
  type AddProblem,
  anyMap,
  checkedBy,
  checkPattern,
  count,
  DURATION,
  duration,
  either,
  flag,
  isWithinDay,
  list,
  mapOf,
  nonEmpty,
  number,
  oneOf,
  oneOrMany,
  POSITIVE_DURATION,
  positiveDuration,
  text,
} from './fields.ts'

// Conditions

export const attempts = oneOrMany(count(), FORMS.numbers)

const CONDITION_SCHEMAS: Readonly<Record<ConditionForm, z.ZodType>> = {
  texts: oneOrMany(nonEmpty(FORMS.texts).superRefine(...checkedBy([checkPattern])), FORMS.texts),
  names: oneOrMany(nonEmpty(FORMS.names), FORMS.names),
  numbers: attempts,
  state: oneOrMany(nonEmpty(FORMS.state), FORMS.state),
  endpoint: oneOf(MODEL_ENDPOINTS),
  flag,
  request: either([z.string(), anyMap(FORMS.request)], FORMS.request),
}
const conditionFields = Object.fromEntries(
  Object.entries(conditions).map(([name, { about, expected, form }]) => [
    name,
    CONDITION_SCHEMAS[form].describe(`${about}: ${expected}`),
  ]),
)
export const when = mapOf(conditionFields, 'conditions, such as { user: hello }').describe(
  'Conditions. All of them must hold.',
)

// Names and options

export const FAULT_NAMES = faults.map(({ name }) => name)
/** The form of a fault, for messages. */
export const FAULT = `a fault (${FAULT_NAMES.join(', ')}) or a status from 400 to 599`
export const faultName = either([z.string(), z.int({ error: FAULT })], FAULT)

export const takesOption = (fault: string | number, option: string): boolean =>
  option in (faultNamed(fault)?.options ?? {})
const ownersOf = (option: string): string[] => FAULT_NAMES.filter((name) => takesOption(name, option))

/** The schema of an option. Its description lists what it means for the faults that have it: `delay: the wait ...`. */
function optionSchema(name: OptionName) {
  const owners = ownersOf(name)
  const ownersByMeaning = new Map<string, string[]>()
  for (const owner of owners) {
    const { summary } = faultNamed(owner)!.options[name]!
    ownersByMeaning.set(summary, [...(ownersByMeaning.get(summary) ?? []), owner])
  }
  const meanings = [...ownersByMeaning].map(([meaning, names]) => `${names.join(', ')}: ${meaning}`)
  const expected = optionForm(faultNamed(owners[0]!)!.options[name]!)
  return either([z.string(), z.number()], expected).describe(`${expected} (${meanings.join('; ')})`)
}

/** The options that a scenario writes next to a fault. */
export const optionFields = Object.fromEntries(OPTION_NAMES.map((name) => [name, optionSchema(name)])) as {
  [Name in OptionName]: ReturnType<typeof optionSchema>
}

/** The calls of a key that pass before the fault applies. */
export const skip = count().describe('skips the first n calls of a key for which the rest of the rule holds')

/** Checks a fault and its options with the reader of the catalogue. */
export function checkFault(rule: JsonObject, add: AddProblem): void {
  const { fault } = rule
  // The schema reports a fault and options of another type.
  if (typeof fault !== 'string' && typeof fault !== 'number') return
  const given = Object.entries(optionsOf(rule)).filter(([, value]) => /^(?:string|number)$/.test(typeof value))
  const options = new Map(given)
  for (;;) {
    const reading = readFault(fault, Object.fromEntries(options))
    if ('configured' in reading) return
    const { problem, code, option } = reading
    add([option ?? 'fault'], problem, code === 'unknown-option' ? 'key' : undefined)
    // Without the wrong option, the reader finds the next one.
    if (option === undefined) return
    options.delete(option)
  }
}

/** Checks a fault and its options beside a schedule. The option `after` of a fault is often meant as `skip`. */
export function checkScheduledFault(rule: JsonObject, add: AddProblem): void {
  const { after, ...withoutAfter } = rule
  const { fault } = rule
  const isKnown = (typeof fault === 'string' || typeof fault === 'number') && faultNamed(fault) !== undefined
  // `after: 5 calls` was the name of `skip: 5`.
  const isCount = typeof after === 'string' && CALL_COUNT_PATTERN.test(after)
  const isOption = !isCount && isKnown && takesOption(fault, 'after')
  if (!isKnown || after === undefined || isOption) return checkFault(rule, add)
  const noOption = `fault '${fault}' has no option 'after'. To skip the first calls, use 'skip': skip: 5.`
  add(['after'], isCount ? `'after: ${after}' is now 'skip: ${Number.parseInt(after, 10)}'.` : noOption, 'key')
  checkFault(withoutAfter, add)
}

/** Checks that options are beside a fault: without one, they would have no effect. */
export function checkLoneOptions(rule: JsonObject, add: AddProblem): void {
  if (rule.fault !== undefined) return
  for (const name of [...OPTION_NAMES, 'skip']) {
    if (rule[name] === undefined) continue
    const owner = name === 'skip' ? 'a fault' : `a fault that has this option (${ownersOf(name).join(', ')})`
    add([name], `expected '${name}' beside ${owner}, got no fault.`, 'key')
  }
}

// Schedules

export const CHANCE = 'a chance such as 5%, or a number from 0 to 1'
const chance = either([text(/^(?:100|\d{1,2}(?:\.\d+)?)%$/, CHANCE), number(0, 1, CHANCE)], CHANCE)
const SPAN = 'two times since the start, such as 10s and 20s, or a list of them'
const TIME = DURATION_PATTERN.source.slice(1, -1)
const span = text(new RegExp(`^${TIME} and ${TIME}$`), SPAN, (value) =>
  value.split(' and ').every((time) => isWithinDay(time)),
)
const bursts = mapOf(
  {
    good: positiveDuration.describe(`mean length of a good period: ${POSITIVE_DURATION}`),
    bad: positiveDuration.describe(`mean length of a bad period, in which the fault applies: ${POSITIVE_DURATION}`),
  },
  'the mean lengths of good and bad periods, such as { good: 30s, bad: 5s }',
  ['good', 'bad'],
)
const schedule = {
  attempt: attempts.describe(`applies only to these attempts, as under when: ${FORMS.numbers}`),
  chance,
  between: oneOrMany(span, SPAN).describe(`applies only between two times: ${SPAN}`),
  from: duration.describe(`applies from this time after the start: ${DURATION}`),
  until: duration.describe(`applies until this time after the start: ${DURATION}`),
  bursts: bursts.describe('applies only in bad periods, which alternate with good ones at random'),
  skip,
  every: count().describe('applies to every n-th call of a key for which the rest of the rule holds'),
  times: count().describe('applies to at most n calls of each key'),
}
/** The names of a fault's schedule. */
export const SCHEDULE_NAMES: readonly string[] = Object.keys(schedule)

export const faultRule = mapOf(
  { fault: faultName, when, ...schedule, ...optionFields },
  'a fault with its settings, such as { fault: server-error, chance: 5% }',
  ['fault'],
)
  .superRefine(...checkedBy([checkScheduledFault, checkSchedule]))
  .describe('A fault that applies without being asked for.')
export const faultRules = list(faultRule, 'a list of faults')

/** Checks that no setting is given twice, and that no span of time is empty. */
function checkSchedule({ attempt, when, between, from, until }: JsonObject, add: AddProblem): void {
  if (attempt !== undefined && isObject(when) && 'attempt' in when)
    add(['attempt'], "expected 'attempt' once, got it here and under 'when'. Both mean the same.", 'key')
  if (between !== undefined && (from !== undefined || until !== undefined)) {
    const other = from === undefined ? 'until' : 'from'
    add([other], `expected either 'between' or 'from' and 'until', got 'between' and '${other}'.`, 'key')
  }
  // True for invalid durations too, which the schema reports.
  const isAscending = (first: unknown, second: unknown): boolean =>
    (parseDuration(first) ?? -1) < (parseDuration(second) ?? Number.POSITIVE_INFINITY)
  for (const [index, value] of [between].flat().entries()) {
    if (typeof value !== 'string') continue
    const [first, second] = value.split(' and ')
    const path = Array.isArray(between) ? ['between', index] : ['between']
    const message = `expected two times, the second later, such as 10s and 20s, got '${shorten(value)}'.`
    if (!isAscending(first, second)) add(path, message)
  }
  if (typeof from === 'string' && typeof until === 'string' && !isAscending(from, until))
    add(['until'], `expected a time after 'from' (${shorten(from)}), got ${shorten(until)}.`)
}
