/** The types of the official `openai` package, as JSON Schemas. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { JsonSchema } from './shape.ts'

/** Reads TypeScript types. It is installed only here, because it depends on another version of TypeScript. */
const GENERATOR = 'ts-json-schema-generator@2.9.0'

export interface PublishedTypes {
  /** Of the package. */
  readonly version: string
  /** The JSON Schema of an exported type, without references. @param file in the package's folder `resources` */
  readonly schemaOf: (file: string, type: string) => JsonSchema
  /** The sentences of all comments in the types. */
  readonly sentences: readonly string[]
}

/**
 * Installs the package and a reader of types into an empty folder. Needs the npm registry.
 * @param wanted the version or tag of the package
 */
export async function installPublishedTypes(folder: string, wanted: string): Promise<PublishedTypes> {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  execFileSync('npm', ['install', ...options, `openai@${wanted}`, GENERATOR], { cwd: folder, stdio: 'inherit' })
  const { createGenerator } = await import(
    pathToFileURL(createRequire(join(folder, 'package.json')).resolve('ts-json-schema-generator')).href
  )
  const openai = join(folder, 'node_modules/openai')
  const schemaOf = (file: string, type: string): JsonSchema =>
    createGenerator({
      path: join(openai, 'resources', file),
      type,
      skipTypeCheck: true,
      expose: 'none',
      topRef: false,
      jsDoc: 'none',
    }).createSchema(type)
  return {
    sentences: sentencesIn(join(openai, 'resources')),
    version: JSON.parse(readFileSync(join(openai, 'package.json'), 'utf8')).version,
    schemaOf,
  }
}

function sentencesIn(folder: string): string[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.d.ts'))
  const comments = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? [])
  const plain = comments.map((comment) =>
    comment
      .replace(/^\/\*\*|\*\/$|\n\s*\*/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return [
    ...new Set(plain.flatMap((text) => text.replace(/ @example .*/, '').split(/(?<=\.)\s+(?=[A-Z-])|\s+(?=- ["`])/))),
  ]
}
