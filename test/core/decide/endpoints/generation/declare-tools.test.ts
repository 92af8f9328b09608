/** Tools as they are counted in the prompt of a responses call: declared as TypeScript. */
import { expect, test } from 'vitest'
import { declareTools } from '../../../../../src/core/decide/endpoints/generation/declare-tools.ts'
import type { Tool } from '../../../../../src/core/protocol/turn/turn.ts'

const toolOf = (schema: object | undefined): Tool =>
  ({ name: 'find', description: 'Finds places.', schema }) as unknown as Tool
const PLACE = {
  title: 'Place',
  type: 'object',
  properties: {
    city: { type: 'string', title: 'City', description: 'A city' },
    zip: { type: ['string', 'null'], default: null },
    tags: { type: 'array', items: { enum: ['old', 'new'] } },
  },
  required: ['city', 'tags'],
}

test('a property is optional unless it is required, and its title, description and default are comments', () => {
  const parameters = { type: 'object', properties: { place: PLACE, all: { anyOf: [PLACE, { type: 'integer' }] } } }
  expect(declareTools([toolOf(parameters)], true)).toBe(`# Tools

## functions

namespace functions {

// Finds places.
type find = (_: {
// Place
place?: // Place
{
// City
// A city
city: string,
zip?: string | null, // default: null
tags: "old" | "new"[],
},
all?: // Place
{
// City
// A city
city: string,
zip?: string | null, // default: null
tags: "old" | "new"[],
} | integer,
}) => any;

} // namespace functions`)
})

test('titles are no comments for a reasoning model', () => {
  const parameters = { type: 'object', properties: { place: PLACE } }
  expect(declareTools([toolOf(parameters)], false)).not.toContain('Place\n')
})

test.each([undefined, { type: 'object' }, { type: 'object', properties: {} }])(
  'a function with the parameters %j takes nothing',
  (parameters) => {
    expect(declareTools([toolOf(parameters)], true)).toContain('type find = () => any;\n')
  },
)

test.each([
  [{}, 'any'],
  [{ type: 'string', properties: { a: {} } }, 'string'],
  [{ properties: { a: { type: 'string' }, b: true } }, '{\na?: string,\n}'],
  [{ type: 'object', properties: { a: { type: 'string' } }, required: 'a' }, '{\na?: string,\n}'],
  [{ type: 'array' }, 'any[]'],
  [{ type: 'array', items: { type: 'object', properties: { a: {} } } }, 'Array<{\na?: any,\n}>'],
])('a property with the schema %j is declared as %j', (schema, declared) => {
  const parameters = { type: 'object', properties: { it: schema } }
  expect(declareTools([toolOf(parameters)], true)).toContain(`(_: {\nit?: ${declared},\n}) => any`)
})
