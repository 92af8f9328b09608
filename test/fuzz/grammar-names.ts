/** The names of the scenario grammar, read from the schema that editors use. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const FILE = resolve(import.meta.dirname, '../../scenario.schema.json')

/** Every name that the grammar gives to a setting, at any depth. */
export const grammarNames: readonly string[] = [...new Set(namesIn(JSON.parse(readFileSync(FILE, 'utf8'))))].sort()

function* namesIn(schema: unknown): Generator<string> {
  if (typeof schema !== 'object' || schema === null) return
  const { properties } = schema as { properties?: object }
  if (properties !== undefined) yield* Object.keys(properties)
  for (const inside of Object.values(schema)) yield* namesIn(inside)
}
