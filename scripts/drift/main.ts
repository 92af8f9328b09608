/**
 * How the service's published types differ from the mock, and which packages that it works with have a new major version:
 * `npm run drift -- [--package latest]`.
 *
 * Compares the `openai` package of the npm registry with the tables of request fields, with the answers of the mock and
 * with the models of scenario `openai`. It is a report: differences do not set an exit code. It needs no key.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EMBEDDING_FIELDS } from '../../src/core/decide/endpoints/embeddings-endpoint.ts'
import { CHAT_FIELDS } from '../../src/core/dialects/chat/chat-fields.ts'
import { OTHER_FIELDS, RESPONSES_FIELDS } from '../../src/core/dialects/responses/response-fields.ts'
import { collectAnswers, modelTable, simulatedModels, uncertainModels } from './answers.ts'
import { compareShapes, type Difference } from './compare.ts'
import { majorLines } from './majors.ts'
import { installPublishedTypes } from './published-types.ts'
import { type Shape, shapeOfFields, shapeOfSchema, shapeOfValues, withoutTypes } from './shape.ts'
import { shutdownLines } from './shutdowns.ts'

const CHAT = 'chat/completions/completions.d.ts'
const EMBEDDINGS = 'embeddings.d.ts'
const RESPONSES = 'responses/responses.d.ts'
/** Types of tools, items and events that the mock does not simulate. */
const HOSTED =
  /search|interpreter|computer|image_gen|mcp|shell|patch|custom|compaction|namespace|programmatic|audio|additional_tools/

/** What is right although it differs, with the reason. */
const EXPECTED: Readonly<Record<string, string>> = {
  'service_tier: "scale"': 'the service refuses it in requests',
  'messages[].annotations: field': 'answers are sent back as they came',
  'messages[].parsed: field': 'the official client sends back what it parsed',
  'messages[].tool_calls[].function.parsed_arguments: field': 'the official client sends back what it parsed',
  'messages[].function_call.parsed_arguments: field': 'the official client sends back what it parsed',
  'choices[].message.annotations[].type: field': 'the mock does not search the web',
  'choices[].message.annotations[].url_citation: field': 'the mock does not search the web',
  'moderation.input.code: field': 'moderation does not fail here',
  'moderation.input.message: field': 'moderation does not fail here',
  'moderation.output.code: field': 'moderation does not fail here',
  'model: "gpt-5.1-mini"': 'the types say that it is no supported model',
  'moderation.output.message: field': 'moderation does not fail here',
}

/** The same for fields of responses and their events, by patterns. */
const EXPECTED_IN_RESPONSES: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/annotation/, 'the mock does not search the web or files'],
  [
    /\b(?:access_programs|image|input_transformations|prompt_cache_diagnostics|misalignment|cached_tokens|cache_write_tokens_details|cached_tokens_details|async|caller|allowed_callers): field/,
    'in the types only: no recorded answer has it',
  ],
  [/^(?:response\.)?(?:conversation|prompt|moderation\.\w+|background): field/, 'not mocked: refused by name'],
  [/\b(?:billing|frequency_penalty|presence_penalty|store): field/, 'recorded answers have it, the types do not'],
  [/\boutput_text: field/, 'the official client adds it'],
  [
    /(?:output\[\]|item)\.(?:output|created_by|code|fingerprint|result|namespace): field/,
    'of items that are not mocked',
  ],
  [/input\[\]\.(?:reasoning|text|code|fingerprint|result): field/, 'of items that are not mocked'],
]

const { values } = parseArgs({ options: { package: { type: 'string', default: 'latest' } } })
const folder = mkdtempSync(join(tmpdir(), 'drift-'))
try {
  await report()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function report(): Promise<void> {
  const { version, schemaOf, sentences } = await installPublishedTypes(folder, values.package)
  const shapeOf = (file: string, type: string): Shape => shapeOfSchema(schemaOf(file, type))
  console.log(`The types of openai ${version} (+) and this mock (-)`)

  const chatRequest = shapeOf(CHAT, 'ChatCompletionCreateParamsNonStreaming')
  const models = chatRequest.fields.get('model')!
  chatRequest.fields.set('model', { ...models, texts: new Set() })
  print('chat requests', compareShapes(chatRequest, shapeOfFields(CHAT_FIELDS.fields)))
  const embeddingRequest = shapeOf(EMBEDDINGS, 'EmbeddingCreateParams')
  embeddingRequest.fields.get('model')!.texts.clear()
  print('embedding requests', compareShapes(embeddingRequest, shapeOfFields(EMBEDDING_FIELDS.fields)))

  const responseSchema = (type: string): Shape => shapeOfSchema(withoutTypes(schemaOf(RESPONSES, type), HOSTED))
  const responseRequest = responseSchema('ResponseCreateParamsNonStreaming')
  responseRequest.fields.get('model')!.texts.clear()
  const simulated = shapeOfFields(RESPONSES_FIELDS.fields)
  for (const name of OTHER_FIELDS) for (const { fields } of [responseRequest, simulated]) fields.delete(name)
  print('requests for responses', withoutHosted(compareShapes(responseRequest, simulated)))

  const { completions, chunks, embeddings, models: listed, responses, events } = await collectAnswers()
  print('chat completions', inAnswers(shapeOf(CHAT, 'ChatCompletion'), completions))
  print('chunks of chat completions', inAnswers(shapeOf(CHAT, 'ChatCompletionChunk'), chunks))
  // The type Response would be that of fetch.
  const response = responseSchema('ResponseCompletedEvent').fields.get('response')!
  print('responses', withoutHosted(inAnswers(response, responses)))
  print('events of responses', withoutHosted(inAnswers(responseSchema('ResponseStreamEvent'), events)))
  print('embeddings', inAnswers(shapeOf(EMBEDDINGS, 'CreateEmbeddingResponse'), embeddings))
  print('models', inAnswers(shapeOf('models.d.ts', 'Model'), listed))

  const published = new Set([...models.texts, ...shapeOf('shared.d.ts', 'ResponsesModel').texts])
  const missing = [...published].filter((name) => !simulatedModels.has(name))
  const unpublished = [...simulatedModels].filter((name) => !published.has(name) && !/embedding/.test(name))
  print('models of scenario openai', [
    ...missing.map((name) => ({ path: 'model', onlyIn: 'published', what: JSON.stringify(name) }) as const),
    ...unpublished.map((name) => ({ path: 'model', onlyIn: 'mock', what: JSON.stringify(name) }) as const),
  ])
  const shutdowns = shutdownLines(sentences, modelTable)
  console.log(`\nshutdowns: ${shutdowns.length === 0 ? 'no differences' : ''}`)
  for (const line of shutdowns) console.log(`  ${line}`)
  printUncertain(sentences)
  console.log(`\nlatest versions of packages:\n${majorLines().join('\n')}`)
}

/** Settings that nobody has published enough of, with what the comments of the types say about the model. */
function printUncertain(sentences: readonly string[]): void {
  console.log('\nuncertain settings of scenario openai, and what the comments of the types say:')
  for (const [model, settings] of uncertainModels) {
    const name = new RegExp(`(?<![\\w.-])${model.replaceAll('.', '\\.')}(?![\\w-]|\\.\\d)`)
    const found = sentences.filter((sentence) => name.test(sentence))
    console.log(`  ${model}: ${settings.join(', ')}${found.length === 0 ? ': nothing' : ''}`)
    for (const sentence of found) console.log(`    ${sentence.slice(0, 400)}`)
  }
}

/** The answers show only some of the possible texts and kinds, so only the unexpected ones count. */
function inAnswers(published: Shape, answers: readonly unknown[]): Difference[] {
  const differences = compareShapes(published, shapeOfValues(answers))
  return differences.filter(({ onlyIn, what }) => onlyIn === 'mock' || what === 'field')
}

/** The differences that are not about hosted tools, nor in the schemas of tools. */
function withoutHosted(differences: readonly Difference[]): readonly Difference[] {
  return differences.filter(({ path, what }) => !HOSTED.test(what) && !/\.(?:parameters|schema)\b/.test(path))
}

function print(title: string, differences: readonly Difference[]): void {
  console.log(`\n${title}: ${differences.length === 0 ? 'no differences' : ''}`)
  for (const { path, onlyIn, what } of differences) {
    const line = `${path}: ${what}`
    const ofResponses = /responses/.test(title) ? EXPECTED_IN_RESPONSES : []
    const known = EXPECTED[line] ?? ofResponses.find(([pattern]) => pattern.test(line))?.[1]
    const reason = known === undefined ? '' : ` (expected: ${known})`
    console.log(`  ${onlyIn === 'published' ? '+' : '-'} ${line}${reason}`)
  }
}
