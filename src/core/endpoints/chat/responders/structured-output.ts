/** The speaker of structured outputs: JSON, because the request asks for it, and valid against its schema. */

import { apiError } from '../../../errors/catalogue.ts'
import { generateValue } from '../../../json-schema/generate/generate.ts'
import { validate } from '../../../json-schema/validate/validate.ts'
import { isObject } from '../../../text/json.ts'
import { echoOf } from './echo.ts'
import type { Responder } from './responder.ts'

/**
 * What the echo would say, if that is JSON and valid: so a test can hand in the very answer it wants. Otherwise a value
 * drawn from the schema; in JSON mode, which has none, the echo in an object.
 */
export const structured: Responder = (context, { format }) => {
  if (format.type === 'text') return undefined
  const text = echoOf(context)
  const given = parsed(text)
  const { schema } = format
  if (schema === undefined) {
    const body = isObject(given) ? text : JSON.stringify({ message: text })
    return { speech: { type: 'text', text: body }, reason: { by: 'echo', name: 'json_object' } }
  }
  if (given !== undefined && validate(schema, given) === undefined) {
    return { speech: { type: 'text', text, schema }, reason: { by: 'echo', name: format.name } }
  }
  const made = generateValue(schema, context.random('structured'))
  if ('problem' in made) {
    const problem = `${made.problem} (at ${made.path}).`
    const subject = `response_format '${format.name}'`
    return { error: apiError('unsatisfiable-schema', { subject, problem, param: 'response_format' }) }
  }
  return {
    speech: { type: 'text', text: JSON.stringify(made.value), schema },
    reason: { by: 'schema', name: format.name },
  }
}

/** The JSON value that a text is; undefined for other texts. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
