/**
 * The catch blocks of the app that no run reached, from the files that Node writes with NODE_V8_COVERAGE. It parses no code:
 * V8 counts a catch block alone when its try block ran, so blocks in functions that never ran are not known.
 *
 *     try { return await ask() }           V8: [0, 61) ran 5 times
 *     catch { return 'Try again later' }   V8: [27, 61) ran 0 times, and `catch {` stands at 27: not reached
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface CatchBlocks {
  /** The number of those that are known. */
  readonly known: number
  /** Those that no run reached: `src/agent.js:12`. */
  readonly unreached: readonly string[]
  /** Files whose code was transformed before it ran, so that its places are not those of the file. */
  readonly transformed: readonly string[]
}

/** Prepares to read what runs write from now on; undefined if NODE_V8_COVERAGE is not set. */
export function watchCatchBlocks(): (() => CatchBlocks) | undefined {
  const { NODE_V8_COVERAGE: folder } = process.env
  if (!folder) return undefined
  // Node creates the folder with the first file.
  const list = (): string[] =>
    existsSync(folder) ? readdirSync(folder).filter((name) => /^coverage-.*\.json$/.test(name)) : []
  const before = new Set(list())
  return () => findCatchBlocks(list().flatMap((name) => (before.has(name) ? [] : resolve(folder, name))))
}

/** Counts of a process: how often each range of a script ran. The first range is the whole script. */
type Ranges = readonly Profiler.CoverageRange[]

/** @param files the files with the counts of processes, one for each. */
function findCatchBlocks(files: readonly string[]): CatchBlocks {
  const scripts = readScripts(files)
  const blocks = { known: 0, unreached: [] as string[], transformed: [] as string[] }
  for (const [path, processes] of scripts) {
    const name = relative(process.cwd(), path)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    // Code that was transformed before it ran has another length than its file.
    if (processes.some(([script]) => script?.endOffset !== text.length)) {
      blocks.transformed.push(name)
      continue
    }
    const offsets = processes.flat().map(({ startOffset }) => startOffset)
    const starts = [...new Set(offsets.filter((offset) => isCatch(text, offset)))]
    blocks.known += starts.length
    const unreached = starts.filter((start) => processes.every((ranges) => countAt(start, ranges) === 0))
    for (const start of unreached.sort((one, other) => one - other))
      blocks.unreached.push(`${name}:${text.slice(0, start).split('\n').length}`)
  }
  return blocks
}

/** The app's own scripts by their paths, with the ranges that each process counted. */
function readScripts(files: readonly string[]): ReadonlyMap<string, readonly Ranges[]> {
  // Most processes run the same ranges of a script, so each variant is kept once. Its key says which ranges ran.
  const scripts = new Map<string, Map<string, Ranges>>()
  for (const file of files) {
    for (const { url, functions } of readCoverage(file)) {
      const path = url.startsWith('file://') ? fileURLToPath(url) : url
      const isOwn = path.startsWith(process.cwd() + sep) && !path.includes(`${sep}node_modules${sep}`)
      if (!isOwn) continue
      const ranges = functions.flatMap((counted) => counted.ranges)
      const variants = scripts.get(path) ?? new Map<string, Ranges>()
      variants.set(JSON.stringify(ranges.map((range) => ({ ...range, count: range.count > 0 }))), ranges)
      scripts.set(path, variants)
    }
  }
  return new Map([...scripts].map(([path, variants]) => [path, [...variants.values()]]))
}

/** The counts of a process; none if it was ended while it wrote them. */
function readCoverage(file: string): readonly Profiler.ScriptCoverage[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).result
  } catch {
    return []
  }
}

/** The longest text from the keyword to the block that is looked at, in characters. */
const MAX_HEAD = 100

/** True if a catch block begins here, or a function that is given to `catch`. */
const isCatch = (text: string, start: number): boolean =>
  /^catch\b\s*[({]/.test(text.slice(start, start + MAX_HEAD)) ||
  /\.catch\(\s*$/.test(text.slice(Math.max(0, start - MAX_HEAD), start))

/** The count of the innermost range around an offset. */
function countAt(offset: number, ranges: Ranges): number {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  const size = ({ startOffset, endOffset }: Profiler.CoverageRange): number => endOffset - startOffset
  return around.reduce((inner, range) => (size(range) <= size(inner) ? range : inner)).count
}
