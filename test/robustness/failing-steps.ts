/** Makes any step of a call fail: every function and method of the core and the engine, at its first or its last run. */
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { vi } from 'vitest'

const SOURCES = fileURLToPath(new URL('../../src/', import.meta.url))
// Not the players and servers: these play the answer, so a failure there has to change it.
const FOLDERS = [
  ...['decide/pipeline', 'journal', 'decide/state', 'decide/call', 'protocol/request', 'protocol/plan', 'lib/text'].map(
    (name) => `core/${name}/`,
  ),
  'engine/',
  'engine/control/',
  'engine/timing/',
]

/** Steps that only catch what others throw, assign fields, or are run by the test: nothing could catch what they throw. */
const GUARDS = new RegExp(
  ' (?:BugReports\\..+|Journal.add|applyEffects|Timing.record|Engine.(?:begin|ended|apply|record)|Listeners.(?:isEmpty|notify)|MockView.(?:calls|has)|Mock.journal' +
    '|Exchange(?:.plan|.sent|.end)?|StoredExchange(?:.end|.toJSON)?)$',
)

/** One run of a step. */
export interface Run {
  readonly step: string
  /** From 1. */
  readonly time: number
  /** Whether the call was decided by then: then only the bookkeeping is left. */
  readonly isDecided: boolean
}

let isRecording = false
let isDecided = false
let runs: Run[] = []
let counts = new Map<string, number>()
let failing: Run | undefined

/** Records which steps a call runs, or makes one of them fail. */
export async function withSteps<Result>(fail: Run | undefined, call: () => Promise<Result>): Promise<Result> {
  runs = []
  counts = new Map()
  isDecided = false
  failing = fail
  isRecording = true
  try {
    return await call()
  } finally {
    isRecording = false
  }
}

/** The first and the last run of every step of the last call. */
export function recordedRuns(): Run[] {
  return runs.filter(({ step, time }) => !GUARDS.test(step) && (time === 1 || time === counts.get(step)))
}

export class Injected extends Error {}

function enter(step: string): void {
  if (!isRecording) return
  const time = (counts.get(step) ?? 0) + 1
  counts.set(step, time)
  runs.push({ step, time, isDecided })
  if (failing?.step === step && failing.time === time) throw new Injected(`injected into ${step}`)
}

// biome-ignore lint/suspicious/noExplicitAny: any function
type Any = (...values: any[]) => any

function wrapFunction(step: string, run: Any): Any {
  return function (this: unknown, ...values: unknown[]) {
    enter(step)
    const result = run.apply(this, values)
    if (isRecording && step.endsWith(' decide')) isDecided = true
    return result
  }
}

const isClass = (value: unknown): value is new () => object =>
  typeof value === 'function' && /^class\b/.test(Function.prototype.toString.call(value))

/** Wraps the methods and getters of a class in place, and its constructor in a copy. */
function wrapClass(step: string, type: new () => object): unknown {
  for (const [name, { value, get, ...rest }] of Object.entries(Object.getOwnPropertyDescriptors(type.prototype))) {
    if (name === 'constructor') continue
    const wrapped = `${step}.${name}`
    if (typeof value === 'function')
      Object.defineProperty(type.prototype, name, { ...rest, value: wrapFunction(wrapped, value) })
    else if (get !== undefined) {
      const { writable: _, ...others } = rest
      Object.defineProperty(type.prototype, name, { ...others, get: wrapFunction(wrapped, get) })
    }
  }
  const construct = (target: new () => object, values: [], newTarget: Any): object => {
    enter(`new ${step}`)
    return Reflect.construct(target, values, newTarget)
  }
  return new Proxy(type, { construct })
}

/** Wraps every export of the core and the engine. Import the package only after this. */
export function wrapSteps(): void {
  const filesIn = (folder: string) => readdirSync(SOURCES + folder).map((name) => folder + name)
  for (const file of FOLDERS.flatMap(filesIn).filter((name) => /(?<!\/(?:index|node))\.ts$/.test(name))) {
    vi.doMock(SOURCES + file, async (importOriginal) => {
      const original = await importOriginal<Record<string, unknown>>()
      const wrapped = Object.entries(original).map(([name, value]) => {
        const step = `${file} ${name}`
        if (isClass(value)) return [name, wrapClass(step, value)]
        return [name, typeof value === 'function' ? wrapFunction(step, value as Any) : value]
      })
      return Object.fromEntries(wrapped)
    })
  }
}
