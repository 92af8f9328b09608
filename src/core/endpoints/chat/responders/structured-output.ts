/** The responder for `response_format`: JSON that is valid against the schema of the request. */

import { apiError } from '../../../errors/catalogue.ts'
import { generateValue } from '../../../json-schema/generate/generate.ts'
import { validate } from '../../../json-schema/validate/validate.ts'
import { isObject, parseJson } from '../../../text/json.ts'
import { echoText } from './echo.ts'
import type { Responder } from './responder.ts'

/**
 * Echoes the last message if that is valid JSON, so that a test can choose the answer. Otherwise it generates a value
 * from the schema; in JSON mode, which has no schema, it wraps the echo in an object.
 */
export const structuredOutput: Responder = (context, { format }) => {
  if (format.type === 'text') return undefined
  const text = echoText(context)
  const given = parseJson(text)
  const { schema } = format
  if (schema === undefined) {
    const body = isObject(given) ? text : JSON.stringify({ message: text })
    return { message: { type: 'text', text: body }, reason: { by: 'echo', name: 'json_object' } }
  }
  if (given !== undefined && validate(schema, given) === undefined) {
    return { message: { type: 'text', text, schema }, reason: { by: 'echo', name: format.name } }
  }
  const random = context.contentRandom('structured')
  const input = JSON.stringify([context.scenario.seed, context.attempt])
  const generated = context.prepare('structured', input, () => generateValue(schema, random), true)
  if ('problem' in generated) {
    const problem = `${generated.problem} (at ${generated.path}).`
    const subject = `response_format '${format.name}'`
    return { error: apiError('unsatisfiable-schema', { subject, problem, path: 'response_format' }) }
  }
  return {
    message: { type: 'text', text: JSON.stringify(generated.value), schema },
    reason: { by: 'schema', name: format.name },
  }
}
