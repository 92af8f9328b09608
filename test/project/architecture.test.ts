/** The rooms of `src`: which imports which, and how much code each may hold. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'

/**
 * The rooms, top first, each with its budget in lines of code (without blank lines and comments). A file imports from its
 * own room and from rooms further down. The core is read from the bottom up: lib first, report last.
 *
 * To raise a budget, change the number in the commit that needs it, and say why in its message.
 */
const BUDGETS: Readonly<Record<string, number>> = {
  cli: 2249,
  'entry points to tests': 75,
  rehearse: 831,
  console: 4640,
  hunt: 3282,
  play: 1057,
  terminal: 263,
  testing: 370,
  'entry points': 124,
  server: 1243,
  record: 2067,
  fleet: 223,
  http: 962,
  msw: 749,
  engine: 1986,
  'limit-store': 514,
  generated: 350,
  'core/report': 870,
  'core/journal': 1262,
  'core/decide': 4253,
  'core/scenario': 2891,
  'core/dialects': 1478,
  'core/protocol': 3246,
  'core/lib': 3148,
}
/** The files at the top of `src`, which have a budget together. */
const ENTRY_POINTS: Readonly<Record<string, readonly string[]>> = {
  'entry points to tests': ['hunt.ts', 'rehearse.ts', 'vitest.ts', 'jest.ts', 'matchers.ts'],
  'entry points': ['node.ts', 'index.ts'],
}
/** Files that hold words, not code. */
const WORDS = ['word-lists.ts']

/** All rooms together, without what is generated. */
const TOTAL_BUDGET = 37_779

/** The rooms in order, with each file at the top of `src` above what it opens. */
const ORDER = Object.keys(BUDGETS).flatMap((room) => ENTRY_POINTS[room] ?? [room])

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
const layerOf = (file: string): number => ORDER.indexOf(folderOf(file))

function modulesOf(file: string, isRuntimeOnly = false): string[] {
  const text = readFileSync(join(SRC, file), 'utf8')
  const code = isRuntimeOnly ? text.replaceAll(/(?:import|export) type [^']*'[^']+'/g, '') : text
  return [...code.matchAll(/(?:from|import|import\()\s*'([^']+)'/g)].map((match) => match[1]!)
}

const localImports = (file: string, isRuntimeOnly = false): string[] =>
  modulesOf(file, isRuntimeOnly)
    .filter((name) => name.startsWith('.') && /\.tsx?$/.test(name))
    .map((name) => relative(SRC, resolve(SRC, dirname(file), name)).replaceAll('\\', '/'))

const isDoor = (file: string): boolean => /\/(?:index|node)\.ts$/.test(file)

const staticImports = (file: string): string[] => {
  const dynamic = [...readFileSync(join(SRC, file), 'utf8').matchAll(/import\(\s*'([^']+)'/g)].map(([, name]) => name!)
  return localImports(file).filter(
    (target) => !dynamic.some((name) => target.endsWith(name.replace(/^(?:\.\.?\/)+/, ''))),
  )
}

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

/** Lines of code: neither blank nor comment. */
function countLines(file: string): number {
  const code = readFileSync(join(SRC, file), 'utf8').replaceAll(
    /^\s*(?:\/\*[\s\S]*?\*\/|\/\/.*|\{\/\*[\s\S]*?\*\/\})/gm,
    '',
  )
  return code.split('\n').filter((line) => line.trim() !== '').length
}

test('every file is in a room', () => {
  expect(files.filter((file) => layerOf(file) < 0)).toEqual([])
})

test.each(Object.entries(BUDGETS))('%s has at most %i lines of code', (room, budget) => {
  const inRoom = files.filter((file) => ENTRY_POINTS[room]?.includes(file) ?? folderOf(file) === room)
  const lines = inRoom.reduce((sum, file) => sum + countLines(file), 0)
  expect(lines, `${room} has ${lines} lines of code, and its budget is ${budget}.`).toBeLessThanOrEqual(budget)
  expect(lines, `${room} has ${lines} lines of code: lower its budget of ${budget}.`).toBeGreaterThan(budget * 0.9 - 20)
})

test(`all rooms together have at most ${TOTAL_BUDGET} lines of code`, () => {
  const counted = files.filter((file) => folderOf(file) !== 'generated' && !WORDS.includes(basename(file)))
  const lines = counted.reduce((sum, file) => sum + countLines(file), 0)
  expect(lines, `src has ${lines} lines of code, and its budget is ${TOTAL_BUDGET}.`).toBeLessThanOrEqual(TOTAL_BUDGET)
})

test('imports go down only', () => {
  // Generated types are read by the core that they are generated from.
  const upward = files.flatMap((file) =>
    localImports(file)
      .filter((target) => layerOf(target) < layerOf(file) && folderOf(target) !== 'generated')
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
        /\bawait\b|\basync\b(?!:)|\bDate\b|Math\.random|performance\.|setTimeout|\bcrypto\b|\bprocess\b/.test(code)
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

/** Pure functions of the core that the page runs on the calls that it has anyway. */
const SHARED_WITH_PAGE = [
  'core/report/run-picture.ts',
  'core/journal/read-answer.ts',
  'core/lib/text/duration.ts',
  'core/lib/text/json.ts',
]

test('the page imports its own files, and from elsewhere only types and what it shares with the core', () => {
  const page = files.filter((file) => file.startsWith('console/'))
  const foreign = page.flatMap((file) =>
    localImports(file, true)
      .filter((target) => !target.startsWith('console/') && !SHARED_WITH_PAGE.includes(target))
      .map((target) => `${file} -> ${target}`),
  )
  expect(foreign).toEqual([])
  expect(page.length).toBeGreaterThan(10)
})

test('no folder has more than 15 loose files, catalogues excepted', () => {
  const CATALOGUES = [
    'core/protocol/faults/answer',
    'core/protocol/faults/stream',
    'core/protocol/faults/wire',
    'core/protocol/faults/semantic',
    'core/scenario/conditions',
  ]
  const counts = new Map<string, number>()
  for (const file of files.filter((file) => !isDoor(file)))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  const crowded = [...counts].filter(([folder, count]) => count > 15 && !CATALOGUES.includes(folder))
  expect(crowded).toEqual([])
})

test('every file opens with a sentence that says what it is', () => {
  const silent = files.filter((file) => !/^(#!.*\n)?\/\*\*/.test(readFileSync(join(SRC, file), 'utf8')))
  expect(silent).toEqual([])
})

/**
 * The rooms that others enter through their doors: `index.ts`, and `node.ts` for what a browser cannot load. The core has
 * none, because it is read file by file. A dynamic import may name a file: what it loads late is its point.
 */
const ROOMS_WITH_DOORS = [
  'rehearse',
  'hunt',
  'play',
  'testing',
  'server',
  'record',
  'fleet',
  'http',
  'msw',
  'engine',
  'limit-store',
]

test('other rooms enter a room through its door', () => {
  const around = files.flatMap((file) =>
    staticImports(file)
      .filter((target) => ROOMS_WITH_DOORS.includes(folderOf(target)) && folderOf(target) !== folderOf(file))
      .filter((target) => !isDoor(target))
      .map((target) => `${file} -> ${target}`),
  )
  expect(around).toEqual([])
})

test('file names are unique, so that an editor finds a file by its name', () => {
  const folders = new Map<string, string[]>()
  for (const file of files.filter((file) => !isDoor(file))) {
    const name = basename(file)
    folders.set(name, [...(folders.get(name) ?? []), dirname(file)])
  }
  expect([...folders].filter(([, { length }]) => length > 1)).toEqual([])
})

test('exported types have unique names', () => {
  const places = new Map<string, string[]>()
  // The public names of an entry point may be those of a room.
  const inRooms = files.filter((file) => file.includes('/') && folderOf(file) !== 'generated')
  for (const file of inRooms) {
    const text = readFileSync(join(SRC, file), 'utf8')
    for (const [, name = ''] of text.matchAll(/^export (?:declare )?(?:abstract )?(?:interface|type|class) (\w+)/gm))
      places.set(name, [...(places.get(name) ?? []), file])
  }
  expect([...places].filter(([, { length }]) => length > 1)).toEqual([])
})

test('comments on types, fields and functions begin with a noun', () => {
  const questions = files.flatMap((file) =>
    [
      ...readFileSync(join(SRC, file), 'utf8').matchAll(/\/\*\*\s+(?:\*\s+)?((?:What|Whether|How|Where|Who|Why)\b.*)/g),
    ].map(([, comment = '']) => `${file}: ${comment}`),
  )
  expect(questions).toEqual([])
})
