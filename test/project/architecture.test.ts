/** The layers are the folders below, top first: a file imports from its own folder and from those further down. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

const LAYERS = [
  'cli, hunt.ts, hunt, vitest.ts, jest.ts, matchers.ts, test-mock.ts, node.ts, index.ts, console',
  'server, control-plane, record, matchers, fleet',
  'http, msw',
  'engine, scenario-files',
  'limit-store',
  'core/pipeline, core/conduct, core/hunt, core/fit',
  'core/journal, core/endpoints',
  'core/call, core/state, core/scenario, core/faults, core/plan, core/request',
  'core/audio, core/json-schema, core/tokenizer, core/random, core/cache, core/errors, core/text, core/work',
].flatMap((line) => line.split(', '))

const SRC = resolve(import.meta.dirname, '../../src')
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.d.ts'))

/** `core/scenario/lint/cases.ts` -> `core/scenario` */
const folderOf = (file: string): string =>
  file
    .split('/')
    .slice(0, file.startsWith('core/') ? 2 : 1)
    .join('/')
const layerOf = (file: string): number => LAYERS.indexOf(folderOf(file))

function modulesOf(file: string, isRuntimeOnly = false): string[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  const code = isRuntimeOnly ? text.replaceAll(/(?:import|export) type [^']*'[^']+'/g, '') : text
  return [...code.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map((match) => match[1]!)
}

const localImports = (file: string, isRuntimeOnly = false): string[] =>
  modulesOf(file, isRuntimeOnly)
    .filter((name) => name.startsWith('.') && /\.tsx?$/.test(name))
    .map((name) => relative(SRC, resolve(SRC, dirname(file), name)).replaceAll('\\', '/'))

function reachedFrom(start: string, isRuntimeOnly = false): string[] {
  const seen = new Set<string>()
  const visit = (file: string): void => {
    if (seen.has(file)) return
    seen.add(file)
    for (const target of localImports(file, isRuntimeOnly)) visit(target)
  }
  visit(start)
  return [...seen].sort()
}

test('every file is in a folder of the list', () => {
  expect(files.filter((file) => layerOf(file) < 0)).toEqual([])
})

test('imports go down only', () => {
  const upward = files.flatMap((file) =>
    localImports(file)
      .filter((target) => layerOf(target) < layerOf(file))
      .map((target) => `${file} -> ${target}`),
  )
  expect(upward).toEqual([])
})

test('no file imports itself, however many files lie between', () => {
  const state = new Map<string, 'open' | 'done'>()
  const circles: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      circles.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      return
    }
    state.set(file, 'open')
    for (const target of localImports(file)) visit(target, [...path, file])
    state.set(file, 'done')
  }
  for (const file of files) visit(file, [])
  expect(circles).toEqual([])
})

test('the core imports no Node module, and never awaits, reads a clock or draws an unseeded number', () => {
  const impure = files
    .filter((file) => file.startsWith('core/'))
    .filter((file) => {
      const code = readFileSync(join(SRC, file), 'utf8').replace(
        /\/\*[\s\S]*?\*\/|\/\/.*|'[^'\n]*'|"[^"\n]*"|`[^`]*`/g,
        '',
      )
      return (
        modulesOf(file).some((name) => name.startsWith('node:')) ||
        /\bawait\b|\basync\b|\bDate\b|Math\.random|performance\.|setTimeout|\bcrypto\b|\bprocess\b/.test(code)
      )
    })
  expect(impure).toEqual([])
})

test('nothing that the browser entry point reaches imports a Node module', () => {
  const reached = reachedFrom('index.ts')
  const nodeOnly = reached.filter((file) =>
    modulesOf(file).some((name) => name.startsWith('node:') || name === 'express'),
  )
  expect(nodeOnly).toEqual([])
  expect(reached.length).toBeGreaterThan(30)
})

test('the page imports its own files, and only types from elsewhere', () => {
  const page = files.filter((file) => file.startsWith('console/'))
  const foreign = page.flatMap((file) =>
    localImports(file, true)
      .filter((target) => !target.startsWith('console/'))
      .map((target) => `${file} -> ${target}`),
  )
  expect(foreign).toEqual([])
  expect(page.length).toBeGreaterThan(10)
})

test('no folder has more than 15 loose files, catalogues excepted', () => {
  const CATALOGUES = [
    'core/faults/answer',
    'core/faults/stream',
    'core/faults/wire',
    'core/faults/semantic',
    'core/scenario/conditions',
  ]
  const counts = new Map<string, number>()
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const crowded = [...counts].filter(([folder, count]) => count > 15 && !CATALOGUES.includes(folder))
  expect(crowded).toEqual([])
})

test('every file opens with a sentence that says what it is', () => {
  const silent = files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(join(SRC, file), 'utf8')))
  expect(silent).toEqual([])
})
