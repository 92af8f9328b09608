/** A request may hold objects with a `toString` of their own wherever any JSON is allowed: such an object is no text. */
import { expect, test } from 'vitest'
import { toText } from '../../../../src/core/lib/text/json.ts'
import { HELLO, mockWith } from '../../../support/core.ts'

const ODD = { toString: 1, valueOf: 1 }
const tool = (parameters: object, strict = false): object => ({
  tools: [{ type: 'function', function: { name: 'look', strict, parameters } }],
})
const asked = (properties: object): object => tool({ type: 'object', properties })
const allowed = { mode: 'auto', tools: [{ type: 'function', function: { name: ODD } }] }

test.each([
  ['the type of parameters', tool({ type: ODD })],
  ['the type of parameters in a list', tool({ type: [ODD] })],
  ['the type of strict parameters', tool({ type: [ODD], properties: {} }, true)],
  ['the type of a property', asked({ city: { type: ODD } })],
  ['the type of a property in a list', asked({ city: { type: [ODD, 'null'] } })],
  ['the description of a property', asked({ city: { type: 'string', description: ODD } })],
  ['a value of an enum', asked({ city: { type: 'string', enum: [ODD, [ODD]] } })],
  ['a required name', tool({ type: 'object', properties: {}, required: [ODD], additionalProperties: false }, true)],
  [
    'a name among allowed tools',
    { ...tool({ type: 'object' }), tool_choice: { type: 'allowed_tools', allowed_tools: allowed } },
  ],
  ['metadata', { metadata: { any: ODD } }],
])('%s: any model is answered', (_, odd) => {
  for (const model of ['gpt-4o', 'o1-preview']) {
    const mock = mockWith({ models: { 'gpt-4o': {}, 'o1-preview': { reasoning: true } } })
    expect([200, 400]).toContain(mock.answer({ body: { ...HELLO, model, ...odd } }).status)
  }
})

test('values are converted as by String(), except objects', () => {
  const values = ['text', 1.5, true, null, undefined, ['string', 'null'], { a: 1 }, ODD, [ODD, [1]]]
  const texts = ['text', '1.5', 'true', 'null', 'undefined', 'string,null', '[object Object]', '[object Object]']
  expect(values.map(toText)).toEqual([...texts, '[object Object],[object Object]'])
})
