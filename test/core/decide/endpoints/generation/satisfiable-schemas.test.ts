/** Any schema that has a value is answered: with a valid value, or with a note that says what may be wrong with it. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mockWith, read } from '../../../../support/core.ts'
import { schemaOf, valuesOfObjects, withDefinitions } from '../../../lib/json-schema/schemas-of-values.ts'

const RUNS = 250
const NOT_FOUND = 'the answer may violate its schema'

const ajv = new Ajv2020({ strict: false, logger: false, ownProperties: true })
ajvFormats.default(ajv as never)

const satisfiable = fc
  .tuple(valuesOfObjects, fc.gen())
  .map(([value, draw]) => ({ value, schema: withDefinitions({ ...schemaOf(value, draw), type: 'object' }, draw) }))

test(
  'a schema that has a value gets a valid value, or a note that names what may be wrong',
  { timeout: 120_000 },
  () => {
    let notFound = 0
    fc.assert(
      fc.property(satisfiable, fc.string(), ({ value, schema }, content) => {
        expect(ajv.validate(schema, value), 'the schema is made from this value').toBe(true)
        const response_format = { type: 'json_schema', json_schema: { name: 'any', schema } }
        const plan = mockWith().plan({
          body: { model: 'echo-1', messages: [{ role: 'user', content }], response_format },
        })
        const { status, text } = read(plan)
        expect(status, text).toBe(200)
        const isValid = ajv.validate(schema, JSON.parse(JSON.parse(text).choices[0].message.content))
        const isNotFound = plan.notes.some((note) => note.startsWith(NOT_FOUND))
        if (isNotFound) notFound += 1
        if (!isValid) expect(plan.notes, ajv.errorsText()).toEqual([expect.stringMatching(/^the answer may violate/)])
        expect(isNotFound && isValid, 'a valid value is reported').toBe(false)
      }),
      { numRuns: RUNS },
    )
    // About 15 of 2,000: mostly numbers that `not` or `oneOf` leaves a small range.
    expect(notFound).toBeLessThanOrEqual(RUNS / 25)
  },
)
