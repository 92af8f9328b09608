/** The names of the scenario grammar, read from the schema that editors use. */
import schema from '../../scenario.schema.json' with { type: 'json' }

/** Every name that the grammar gives to a setting, at any depth. */
export const grammarNames: readonly string[] = [...new Set(namesIn(schema))].sort()

function* namesIn(part: unknown): Generator<string> {
  if (typeof part !== 'object' || part === null) return
  const { properties } = part as { properties?: object }
  if (properties !== undefined) yield* Object.keys(properties)
  for (const inside of Object.values(part)) yield* namesIn(inside)
}
