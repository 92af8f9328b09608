/** The fields of `when`, made from the table of conditions: a schema for each form of values. */
import * as z from 'zod'
import { MODEL_ENDPOINTS } from '../../protocol/request/endpoints.ts'
import { type ConditionForm, FORMS } from '../conditions/condition.ts'
import { conditions } from '../conditions/condition-table.ts'
import { anything, checkPattern, count, flag, oneOf, oneOrMany, only, optional, plain, report } from './fields.ts'

export const attempts = oneOrMany(count(), FORMS.numbers)

const schemas: Readonly<Record<ConditionForm, z.ZodType>> = {
  texts: oneOrMany(plain(FORMS.texts).superRefine(...report(checkPattern)), FORMS.texts),
  names: oneOrMany(plain(FORMS.names), FORMS.names),
  numbers: attempts,
  state: oneOrMany(plain(FORMS.state), FORMS.state),
  endpoint: oneOf(MODEL_ENDPOINTS),
  flag,
  request: z.union([z.string(), anything(FORMS.request)], { error: FORMS.request }),
}
const conditionFields = Object.fromEntries(
  Object.entries(conditions).map(([name, { about, expected, form }]) => [
    name,
    optional(schemas[form], `${about}: ${expected}`),
  ]),
)
export const when = only(conditionFields, 'conditions, such as { user: hello }').meta({
  description: 'Conditions. All of them must hold.',
})
