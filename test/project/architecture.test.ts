/** Imports go one way: small tools <- errors, memory <- scenario <- turn <- families <- decide <- shell <- console, doors. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { CALL_HEADERS } from '../../src/core/request/decisive-headers.ts'

const SRC = resolve(import.meta.dirname, '../../src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !file.startsWith('build/'))

/** Each layer may import from itself (unless it is a family) and from those before it. */
const LAYERS: readonly { readonly name: string; readonly holds: RegExp; readonly isFamily?: boolean }[] = [
  {
    name: 'tools',
    holds:
      /^core\/(call-headers|beginning|plan|random|distribution|tokens|suggest|duration|graphemes|hash|identity|bounded-map|remembered|conversation|speech|tools|written-out|json-schema\/.*)\.ts$|^core\/json-schema\//,
  },
  { name: 'errors', holds: /^core\/(errors|hidden-keys|checks|route|token-estimate)\.ts$/ },
  { name: 'faults', holds: /^core\/faults\// },
  { name: 'scenario', holds: /^core\/scenario\// },
  { name: 'memory', holds: /^core\/(memory|bucket|reading)\.ts$/ },
  { name: 'turn', holds: /^core\/(turn|parameters|answer|limit-headers)\.ts$/ },
  { name: 'journal', holds: /^core\/(journal|conduct)\// },
  { name: 'families', holds: /^core\/(chat|embeddings|conditions)\/|^core\/models\.ts$/, isFamily: true },
  { name: 'decide', holds: /^core\/(decide|replay)\.ts$/ },
  { name: 'shell', holds: /^shell\// },
  { name: 'console', holds: /^console\// },
  { name: 'doors', holds: /^(index|node|vitest)\.ts$/ },
]

/** The folder below core/, and what is in it. */
const familyOf = (file: string): string => file.split('/', 2).join('/')
const layerOf = (file: string): number => LAYERS.findIndex(({ holds }) => holds.test(file))

function importsOf(file: string): string[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  return [...text.matchAll(/(?:from|import\()\s*'([^']+)'/g)].map((match) => match[1]!)
}

const localImports = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(SRC, resolve(SRC, dirname(file), name)).replaceAll('\\', '/'))

test('every file has its layer', () => {
  expect(files.filter((file) => layerOf(file) < 0)).toEqual([])
})

test('imports go down only, and families never import each other', () => {
  const wrong: string[] = []
  for (const file of files) {
    for (const target of localImports(file).filter((name) => !name.endsWith('.json') && !name.startsWith('../'))) {
      const [from, to] = [layerOf(file), layerOf(target)]
      const isSibling = from === to && LAYERS[from]!.isFamily === true && familyOf(file) !== familyOf(target)
      if (to > from || isSibling) wrong.push(`${file} -> ${target}`)
    }
  }
  expect(wrong).toEqual([])
})

test('the core imports no Node module, and never awaits, reads a clock or draws an unseeded number', () => {
  const wrong: string[] = []
  for (const file of files.filter((name) => name.startsWith('core/'))) {
    const code = readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|`[^`]*`/g, '')
    if (importsOf(file).some((name) => name.startsWith('node:'))) wrong.push(`${file}: node import`)
    if (/\bawait\b|\basync\b|\bDate\b|Math\.random|performance\.|setTimeout|\bcrypto\b|\bprocess\b/.test(code))
      wrong.push(file)
  }
  expect(wrong).toEqual([])
})

test('nothing that the browser door reaches imports a Node module', () => {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const target of localImports(file)) visit(target)
  }
  visit('index.ts')
  const wrong = [...seen].filter((file) =>
    importsOf(file).some((name) => name.startsWith('node:') || name === 'express'),
  )
  expect(wrong).toEqual([])
  expect(seen.size).toBeGreaterThan(30)
})

test('a worker loads what playing plans needs, and of the core next to nothing', () => {
  const seen = new Set<string>()
  const packages = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    const code = readFileSync(join(SRC, file), 'utf8').replaceAll(/(?:import|export) type [^']*'[^']+'/g, '')
    for (const [, name] of code.matchAll(/(?:from|import\(?)\s*'([^']+)'/g)) {
      if (name!.startsWith('.')) visit(relative(SRC, resolve(SRC, dirname(file), name!)).replaceAll('\\', '/'))
      else packages.add(name!)
    }
  }
  visit('shell/workers/worker.ts')
  expect([...packages].sort()).toEqual(['node:perf_hooks'])
  const allowed = ['call-headers.ts', 'errors.ts', 'faults/bending.ts', 'journal/packed-plan.ts']
  expect([...seen].filter((file) => file.startsWith('core/')).sort()).toEqual(allowed.map((file) => `core/${file}`))
})

test('the headers that decide an answer are those that workers send to the process that decides', () => {
  const read = files
    .filter((file) => file.startsWith('core/'))
    .flatMap((file) => [...readFileSync(join(SRC, file), 'utf8').matchAll(/\.header\(\s*('[^']*'|[^)]*)/g)])
    .map(([, name]) => name!.replaceAll("'", ''))
  expect([...new Set(read)].sort()).toEqual([...CALL_HEADERS].sort())
})

test('every file opens with a sentence that says what it is', () => {
  const silent = files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(join(SRC, file), 'utf8')))
  expect(silent).toEqual([])
})

test('the page runs on its own files alone: of the rest it knows nothing but types', () => {
  const pages = files.filter((file) => file.startsWith('console/'))
  const foreign = pages.flatMap((file) => {
    const code = readFileSync(join(SRC, file), 'utf8').replaceAll(/import type [^']*'[^']+'/g, '')
    const names = [...code.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map((match) => match[1]!)
    return names.filter((name) => !/^\.\/[\w-]+\.ts$/.test(name)).map((name) => `${file}: ${name}`)
  })
  expect(foreign).toEqual([])
  expect(pages.length).toBeGreaterThan(10)
})
