/** The shape of an answer: which fields it has and of which types, but not what they say; and how two shapes differ. */
import { isObject } from '../core/text/json.ts'

/** An answer to compare. */
export interface Shown {
  readonly status: number
  readonly body: string
}

/** One way in which an answer differs from the one before. */
export interface Difference {
  /** `choices[].message.content`; in a stream below `chunk`. */
  readonly path: string
  readonly change: 'missing' | 'added' | 'type' | 'status'
  /** What was there, and what is there now: types, or statuses. */
  readonly before: string
  readonly now: string
}

/** The types that stand at each path; items of a list share one path. */
type Shape = ReadonlyMap<string, ReadonlySet<string>>

/** How `now` differs from `before`: status, fields and their types. */
export function compareAnswers(before: Shown, now: Shown): Difference[] {
  const differences: Difference[] = []
  if (before.status !== now.status) {
    differences.push({ path: 'status', change: 'status', before: String(before.status), now: String(now.status) })
  }
  return [...differences, ...compareShapes(shapeOf(before.body), shapeOf(now.body))]
}

function compareShapes(before: Shape, now: Shape): Difference[] {
  const differences: Difference[] = []
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const was = before.get(path)
    const is = now.get(path)
    // What a list holds is not known where it is empty; what is below a missing field is missing with it.
    if (was === undefined && (path.endsWith('[]') || !isAt(before, path))) continue
    if (is === undefined && (path.endsWith('[]') || !isAt(now, path))) continue
    const [earlier, later] = [written(was), written(is)]
    if (earlier === later) continue
    const change = was === undefined ? 'added' : is === undefined ? 'missing' : 'type'
    differences.push({ path, change, before: earlier, now: later })
  }
  return differences
}

/** Whether what would hold this path is there. */
function isAt(shape: Shape, path: string): boolean {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
  return shape.get(parent)?.has('object') === true
}

const written = (types: ReadonlySet<string> | undefined): string =>
  types === undefined ? 'nothing' : [...types].sort().join(' or ')

function shapeOf(body: string): Shape {
  const shape = new Map<string, Set<string>>()
  const payloads = payloadsOf(body)
  if (payloads === undefined) {
    walk(parsed(body), '', shape)
    return shape
  }
  add(shape, '', 'stream')
  add(shape, '', 'object')
  for (const payload of payloads) {
    if (payload === '[DONE]') add(shape, '[DONE]', 'text')
    else walk(parsed(payload), 'chunk', shape)
  }
  return shape
}

/** What the events of a stream carry; undefined for a body that is no stream. */
function payloadsOf(body: string): string[] | undefined {
  if (!/^(?:data|event|id|retry)?:/m.test(body) || parsed(body) !== NO_JSON) return undefined
  return [...body.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]!)
}

const NO_JSON = Symbol('no JSON')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return NO_JSON
  }
}

function walk(value: unknown, path: string, shape: Map<string, Set<string>>): void {
  add(shape, path, typeName(value))
  if (Array.isArray(value)) for (const item of value) walk(item, `${path}[]`, shape)
  if (!isObject(value)) return
  for (const [name, item] of Object.entries(value)) walk(item, path === '' ? name : `${path}.${name}`, shape)
}

function add(shape: Map<string, Set<string>>, path: string, type: string): void {
  const types = shape.get(path)
  if (types === undefined) shape.set(path, new Set([type]))
  else types.add(type)
}

function typeName(value: unknown): string {
  if (value === NO_JSON) return 'text that is no JSON'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
