/** The published description of the API, read from beside the project, as checks of bodies. */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'

const FILE = resolve(import.meta.dirname, '../../../shared/openapi/openai-subset.json')

/** Whether the description is there: it is no part of the project. */
export const hasOpenApi = existsSync(FILE)

// biome-ignore lint/suspicious/noExplicitAny: a JSON document of any shape
type Json = any

export type SchemaName =
  | 'CreateChatCompletionResponse'
  | 'CreateChatCompletionStreamResponse'
  | 'CreateEmbeddingResponse'
  | 'ListModelsResponse'
  | 'Model'
  | 'ErrorResponse'

/** What is wrong with a value by a schema of the description; '' when nothing is. */
export type Problems = (schema: SchemaName, value: unknown) => string

/** Reads the description; only where it is there. */
export function readOpenApi(): { problems: Problems; parametersOf: (request: string) => string[] } {
  const document: Json = JSON.parse(readFileSync(FILE, 'utf8'))
  const { schemas } = document.components
  const parametersOf = (request: string): string[] => [...new Set(propertiesOf(schemas[request], schemas))]

  // The description says text here, but the service answers null for reasoning models: it is in the recorded traffic.
  for (const name of ['CreateChatCompletionResponse', 'CreateChatCompletionStreamResponse']) {
    schemas[name].properties.system_fingerprint.nullable = true
  }
  // The description is older than streamed calls of custom tools, which the types of the openai package have.
  const { properties } = schemas.ChatCompletionMessageToolCallChunk
  properties.type.enum.push('custom')
  properties.custom = { type: 'object', properties: { name: { type: 'string' }, input: { type: 'string' } } }
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'openai', components: { schemas: withNull(schemas) } })
  const problems: Problems = (schema, value) => {
    const validate = ajv.getSchema(`openai#/components/schemas/${schema}`)
    if (validate === undefined) throw new Error(`The description has no schema ${schema}.`)
    return validate(value) ? '' : ajv.errorsText(validate.errors)
  }
  return { problems, parametersOf }
}

/** `nullable: true` is of OpenAPI 3.0, and this description is 3.1 and has it still: written as JSON Schema. */
function withNull(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withNull)
  if (typeof schema !== 'object' || schema === null) return schema
  const { nullable, ...rest } = schema
  const inside = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withNull(value)]))
  return nullable === true ? { anyOf: [inside, { type: 'null' }] } : inside
}

function propertiesOf(schema: Json, schemas: Json): string[] {
  if (schema.$ref !== undefined) return propertiesOf(schemas[schema.$ref.split('/').at(-1)], schemas)
  const inherited: Json[] = schema.allOf ?? []
  return [...Object.keys(schema.properties ?? {}), ...inherited.flatMap((one) => propertiesOf(one, schemas))]
}

const OPEN_RESPONSES = resolve(import.meta.dirname, '../../../shared/openapi/open-responses.json')

/** True if the schema of the Open Responses standard is there. */
export const hasOpenResponses = existsSync(OPEN_RESPONSES)

/** The problems of a response, or of an event of a stream, by the Open Responses standard; '' for none. */
export interface OpenResponses {
  readonly ofResponse: (value: unknown) => string
  readonly ofEvent: (event: { readonly type: string }) => string
}

/** Reads the standard; only where it is there. */
export function readOpenResponses(): OpenResponses {
  const { schemas }: Json = JSON.parse(readFileSync(OPEN_RESPONSES, 'utf8')).components
  // The standard wants null where the service echoes the schema.
  schemas.JsonSchemaResponseFormat.properties.schema = {}
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true })
  ajv.addSchema({ $id: 'open', components: { schemas } })
  const problemsBy = (schema: string, value: unknown): string => {
    const validate = ajv.getSchema(`open#/components/schemas/${schema}`)!
    return validate(value) ? '' : ajv.errorsText(validate.errors)
  }
  const events = new Map<string, string>()
  for (const [name, { properties }] of Object.entries<Json>(schemas)) {
    if (name.endsWith('StreamingEvent')) events.set(properties.type.enum[0], name)
  }
  return {
    ofResponse: (value) => problemsBy('ResponseResource', value),
    ofEvent: (event) => {
      const name = events.get(event.type)
      return name === undefined ? `${event.type} is no event of the standard` : problemsBy(name, event)
    },
  }
}
