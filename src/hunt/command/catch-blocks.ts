/**
 * The catch blocks of the app that no run reached, from the files that Node writes with NODE_V8_COVERAGE. It parses no code:
 * V8 counts a catch block alone when its try block ran, so blocks in functions that never ran are not known.
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

function findCatchBlocks(files: readonly string[]): CatchBlocks {
  // Most runs count the same ranges of a script, so each variant is kept once.
  const scripts = new Map<string, Map<string, readonly Profiler.CoverageRange[]>>()
  for (const file of files) {
    for (const { url, functions } of readCoverage(file)) {
      const path = url.startsWith('file://') ? fileURLToPath(url) : url
      const isOwn = path.startsWith(process.cwd() + sep) && !path.includes(`${sep}node_modules${sep}`)
      if (!isOwn) continue
      const ranges = functions.flatMap((one) => one.ranges)
      const variants = scripts.get(path) ?? new Map<string, readonly Profiler.CoverageRange[]>()
      variants.set(JSON.stringify(ranges.map((range) => ({ ...range, count: range.count > 0 }))), ranges)
      scripts.set(path, variants)
    }
  }
  const blocks = [...scripts].map(([path, variants]) => {
    const name = relative(process.cwd(), path)
    const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
    const runs = [...variants.values()]
    // The first range is the whole script.
    if (runs.some(([script]) => script?.endOffset !== text.length))
      return { known: 0, unreached: [], transformed: [name] }
    const starts = new Set(runs.flat().flatMap(({ startOffset }) => (isCatch(text, startOffset) ? [startOffset] : [])))
    const missed = [...starts].filter((start) => runs.every((ranges) => countAt(start, ranges) === 0))
    const lineOf = (start: number): number => text.slice(0, start).split('\n').length
    const unreached = missed.sort((one, other) => one - other).map((start) => `${name}:${lineOf(start)}`)
    return { known: starts.size, unreached, transformed: [] }
  })
  return {
    known: blocks.reduce((sum, { known }) => sum + known, 0),
    unreached: blocks.flatMap(({ unreached }) => unreached),
    transformed: blocks.flatMap(({ transformed }) => transformed),
  }
}

/** The counts of a process; none if it was ended while it wrote them. */
function readCoverage(file: string): readonly Profiler.ScriptCoverage[] {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).result
  } catch {
    return []
  }
}

/** True if a catch block begins here, or a function that is given to `catch`. */
const isCatch = (text: string, start: number): boolean =>
  /^catch\b\s*[({]/.test(text.slice(start, start + 100)) ||
  /\.catch\(\s*$/.test(text.slice(Math.max(0, start - 100), start))

/** The count of the innermost range around a place. */
function countAt(place: number, ranges: readonly Profiler.CoverageRange[]): number {
  const around = ranges.filter(({ startOffset, endOffset }) => startOffset <= place && place < endOffset)
  const size = ({ startOffset, endOffset }: Profiler.CoverageRange): number => endOffset - startOffset
  return around.reduce((inner, range) => (size(range) <= size(inner) ? range : inner)).count
}
