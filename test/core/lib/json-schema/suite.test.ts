/**
 * The 133 schemas of the JSON-Schema-Test-Suite (draft 2020-12, commit 44401e0) whose keywords structured outputs know.
 * @see https://github.com/json-schema-org/JSON-Schema-Test-Suite
 */
import { Ajv2020 } from 'ajv/dist/2020.js'
import ajvFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { generateValue } from '../../../../src/core/lib/json-schema/generate/generate-value.ts'
import { Random } from '../../../../src/core/lib/random/random.ts'
import suiteSchemas from './suite-schemas.json' with { type: 'json' }

/** Schemas without a value. */
const REFUSED = [
  'anyOf: anyOf with boolean schemas, all false',
  'enum: empty enum',
  'ref: $ref to boolean schema false',
]

const ajv = ajvFormats.default(
  new Ajv2020({ strict: false, logger: false, ownProperties: true }) as never,
) as unknown as Ajv2020

test('all but three of the schemas get a value that ajv accepts', () => {
  const refused = Object.entries(suiteSchemas).filter(([, schema]) => {
    const made = generateValue(schema, new Random('suite'))
    return 'problem' in made || !ajv.validate(schema, JSON.parse(JSON.stringify(made.value)))
  })
  expect(refused.map(([name]) => name)).toEqual(REFUSED)
})
