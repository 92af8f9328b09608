/**
 * Writes the files that are made from others: the built-in scenarios as plain data, the JSON Schema for editors, the word
 * lists of the embeddings as a module, types, and the tables of docs/.
 *
 *   npm run generate               writes them
 *   npm run generate -- --check    exits 1 when one is out of date
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'
import * as z from 'zod'
import { stem } from '../src/core/lib/embeddings/words/stem.ts'
import { scenarioSchema } from '../src/core/scenario/grammar/scenario-schema.ts'
import type { ScenarioSource } from '../src/core/scenario/scenario-source.ts'
import { parseScenario } from '../src/core/scenario/yaml/parse-scenario.ts'
import { addEditorRules } from './editor-rules.ts'
import { faultTypesModule } from './fault-types.ts'
import { scenarioTypesModule } from './scenario-types.ts'
import { buildTables, type FieldSchema, insertTables } from './tables/docs-tables.ts'

const root = new URL('../', import.meta.url)
const COMMAND = 'npm run generate'
const WORDS = 'src/core/lib/embeddings/words/'
const STEMMED = ['related-words.txt', 'topics.txt']

/** The files by their path from the top of the project, each with the text it must have. */
export function generatedFiles(): Record<string, string> {
  const scenarios = builtInSources()
  const schema = scenarioJsonSchema()
  const tables = buildTables({ scenarios, schema: schema as FieldSchema })
  const pages = readdirSync(new URL('docs/', root))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`)
  return {
    'src/generated/built-in.ts': builtInModule(scenarios),
    [`${WORDS}word-lists.ts`]: wordListsModule(),
    'src/generated/fault-types.ts': faultTypesModule(COMMAND),
    'scenario.schema.json': `${JSON.stringify(schema, withoutCode, 2)}\n`,
    'src/generated/scenario-input.ts': scenarioTypesModule(schema, COMMAND),
    ...Object.fromEntries(pages.map((path) => [path, insertTables(readFileSync(new URL(path, root), 'utf8'), tables)])),
  }
}

/** The paths of generated files whose text is not what it must be. */
export function outOfDate(): string[] {
  return Object.entries(generatedFiles())
    .filter(([path, text]) => !existsSync(new URL(path, root)) || readFileSync(new URL(path, root), 'utf8') !== text)
    .map(([path]) => path)
}

function builtInSources(): Record<string, ScenarioSource> {
  const names = readdirSync(new URL('scenarios/', root))
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))
    .sort((a, b) => Number(b === 'default') - Number(a === 'default') || (a < b ? -1 : 1))
  const sources = names.map((name) => {
    const path = `scenarios/${name}.yaml`
    return [name, parseScenario(readFileSync(new URL(path, root), 'utf8'), path)]
  })
  return Object.fromEntries(sources)
}

function builtInModule(scenarios: Readonly<Record<string, ScenarioSource>>): string {
  const names = Object.keys(scenarios)
  return `/** The built-in scenarios as plain data. Made from scenarios/*.yaml by \`${COMMAND}\`; do not edit. */
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'

/** The names of the built-in scenarios. */
export type BuiltInName = ${names.map((name) => `'${name}'`).join(' | ')}

/** The built-in scenarios by name. They were checked when this file was made: no schema is needed to run them. */
export const builtInScenarios: Readonly<Record<BuiltInName, ScenarioSource>> = {
${names.map((name) => `  '${name}': ${JSON.stringify(scenarios[name])},`).join('\n')}
}
`
}

/**
 * Each list as one string, a line of the file after the other, without its comments: a bundler and a browser load it like
 * any module. The words of groups and topics are stemmed here, because stemming thousands takes longer than an embedding.
 */
function wordListsModule(): string {
  const lists = readdirSync(new URL(WORDS, root))
    .filter((file) => file.endsWith('.txt'))
    .sort()
    .map((file) => {
      const lines = readFileSync(new URL(WORDS + file, root), 'utf8')
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('#'))
        .map((line) => (STEMMED.includes(file) ? [...new Set(line.split(' ').map(stem))].join(' ') : line))
      const name = file.slice(0, -'.txt'.length).replaceAll('-', '_').toUpperCase()
      return `export const ${name} = ${JSON.stringify(lines.join('\n'))}\n`
    })
  return `/** The word lists of the embeddings. Made from the text files beside it by \`${COMMAND}\`; do not edit. */\n${lists.join('')}`
}

// Draft 7 is what the YAML and JSON language servers of all common editors know.
function scenarioJsonSchema(): object {
  addEditorRules()
  // JSON Schema has no functions: they are marked with `inCode`, for the types.
  return z.toJSONSchema(scenarioSchema, { target: 'draft-7', io: 'input', unrepresentable: 'any' })
}

/** Leaves functions out: an editor completes files, which have none. */
function withoutCode(_: string, value: unknown): unknown {
  const isInFile = (one: unknown): boolean => typeof one !== 'object' || one === null || !('inCode' in one)
  if (Array.isArray(value)) return value.filter(isInFile)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).filter(([, one]) => isInFile(one)))
}

function main(isCheck: boolean): void {
  const stale = outOfDate()
  if (isCheck && stale.length > 0) {
    console.error(`Out of date: ${stale.join(', ')}. Run \`${COMMAND}\` and commit what it writes.`)
    process.exitCode = 1
    return
  }
  const files = generatedFiles()
  for (const path of stale) {
    writeFileSync(fileURLToPath(new URL(path, root)), files[path]!)
    console.log(`Wrote ${path}`)
  }
  if (stale.length === 0) console.log('Generated files are up to date.')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main(process.argv.includes('--check'))
