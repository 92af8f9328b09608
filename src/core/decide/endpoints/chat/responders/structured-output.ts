/** The responder for `response_format`: JSON that is valid against the schema of the request. */

import { generateValue } from '../../../../lib/json-schema/generate/generate.ts'
import { validate } from '../../../../lib/json-schema/validate/validate.ts'
import { isObject, parseJson } from '../../../../lib/text/json.ts'
import { finish } from '../../../../lib/work/steps.ts'
import { apiError } from '../../../../protocol/errors/catalogue.ts'
import { echoText } from './echo.ts'
import type { Responder } from './responder.ts'

/**
 * Echoes the last message if that is valid JSON, so that a test can choose the answer. Otherwise it generates a value
 * from the schema; in JSON mode, which has no schema, it wraps the echo in an object.
 */
export const structuredOutput: Responder = (context, { format }) => {
  if (format.type === 'text') return undefined
  const text = echoText(context)
  const { schema } = format
  const isGiven = context.memo('given', text, () => isAllowed(text, schema))
  if (schema === undefined) {
    const body = isGiven ? text : JSON.stringify({ message: text })
    return { message: { type: 'text', text: body }, reason: { by: 'echo', name: 'json_object' } }
  }
  if (isGiven) {
    return { message: { type: 'text', text, schema }, reason: { by: 'echo', name: format.name } }
  }
  const random = context.contentRandom('structured')
  const input = JSON.stringify([context.scenario.seed, context.attempt])
  const generated = context.memo('structured', input, () => finish(generateValue(schema, random)))
  if ('problem' in generated) {
    const problem = `${generated.problem} (at ${generated.path}).`
    const subject = `response_format '${format.name}'`
    return { error: apiError('unsatisfiable-schema', { subject, problem, path: 'response_format' }) }
  }
  return {
    message: { type: 'text', text: JSON.stringify(generated.value), schema },
    reason: { by: 'schema', name: format.name },
    notes: generated.notes,
  }
}

/** Whether a text is JSON that is valid against the schema, or without a schema an object. */
function isAllowed(text: string, schema: unknown): boolean {
  const value = parseJson(text)
  if (schema === undefined || value === undefined) return isObject(value)
  return validate(schema, value) === undefined
}
