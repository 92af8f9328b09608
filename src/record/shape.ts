/** The shape of an answer: its fields and their types, without their values; and how two shapes differ. */
import { isObject, parseJson } from '../core/lib/text/json.ts'

/** An answer to compare. */
export interface ComparedAnswer {
  readonly status: number
  readonly body: string
}

/** One difference between two answers. */
export interface Difference {
  /** `choices[].message.content`; fields of a stream's chunks are below `chunk`. */
  readonly path: string
  readonly change: 'missing' | 'added' | 'type' | 'status'
  /** Types, or statuses. */
  readonly before: string
  readonly now: string
}

/** The types at each path. All items of a list share one path. */
type Shape = ReadonlyMap<string, ReadonlySet<string>>

export function compareAnswers(before: ComparedAnswer, now: ComparedAnswer): Difference[] {
  const differences: Difference[] = []
  if (before.status !== now.status) {
    differences.push({ path: 'status', change: 'status', before: String(before.status), now: String(now.status) })
  }
  return [...differences, ...compareShapes(readShape(before.body), readShape(now.body))]
}

function compareShapes(before: Shape, now: Shape): Difference[] {
  const differences: Difference[] = []
  for (const path of new Set([...before.keys(), ...now.keys()])) {
    const was = before.get(path)
    const is = now.get(path)
    // An empty list says nothing about its items, and the fields of a missing object are not reported one by one.
    if (was === undefined && (path.endsWith('[]') || !hasParent(before, path))) continue
    if (is === undefined && (path.endsWith('[]') || !hasParent(now, path))) continue
    const [earlier, later] = [formatTypes(was), formatTypes(is)]
    if (earlier === later) continue
    const change = was === undefined ? 'added' : is === undefined ? 'missing' : 'type'
    differences.push({ path, change, before: earlier, now: later })
  }
  return differences
}

/** Whether the object that would hold this path exists. */
function hasParent(shape: Shape, path: string): boolean {
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
  return shape.get(parent)?.has('object') === true
}

const formatTypes = (types: ReadonlySet<string> | undefined): string =>
  types === undefined ? 'nothing' : [...types].sort().join(' or ')

function readShape(body: string): Shape {
  const shape = new Map<string, Set<string>>()
  const payloads = readPayloads(body)
  if (payloads === undefined) {
    walk(parseJson(body), '', shape)
    return shape
  }
  add(shape, '', 'stream')
  add(shape, '', 'object')
  for (const payload of payloads) {
    if (payload === '[DONE]') add(shape, '[DONE]', 'text')
    else walk(parseJson(payload), 'chunk', shape)
  }
  return shape
}

/** The data of each event; undefined if the body is not a stream. */
function readPayloads(body: string): string[] | undefined {
  if (!/^(?:data|event|id|retry)?:/m.test(body) || parseJson(body) !== undefined) return undefined
  return [...body.matchAll(/^data: ?(.*)$/gm)].map((match) => match[1]!)
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
  if (value === undefined) return 'text that is not JSON'
  if (value === null) return 'null'
  return Array.isArray(value) ? 'list' : typeof value
}
