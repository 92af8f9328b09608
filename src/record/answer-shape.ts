/** The shape of an answer: its fields and their types, without their values; and how two shapes differ. */
import { isObject, parseJson } from '../core/lib/text/json.ts'

/** An answer to compare. */
export interface ComparedAnswer {
  readonly status: number
  readonly body: string
}

/** One difference between two answers. */
export interface ShapeDifference {
  /** `choices[].message.content`; fields of a stream's chunks are below `chunk`. */
  readonly path: string
  readonly change: 'missing' | 'added' | 'type' | 'status'
  /** Types, or statuses. */
  readonly before: string
  readonly now: string
}

/** The types at each path. All items of a list share one path. */
type Shape = Map<string, Set<string>>

export function compareAnswers(before: ComparedAnswer, now: ComparedAnswer): ShapeDifference[] {
  const differences: ShapeDifference[] = []
  if (before.status !== now.status)
    differences.push({ path: 'status', change: 'status', before: String(before.status), now: String(now.status) })
  const [earlier, later] = [readShape(before.body), readShape(now.body)]
  for (const path of new Set([...earlier.keys(), ...later.keys()])) {
    const [was, is] = [earlier.get(path), later.get(path)]
    if (was === undefined || is === undefined) {
      // An empty list says nothing about its items, and the fields of a missing object are not reported one by one.
      const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
      const isObjectThere = (was === undefined ? earlier : later).get(parent)?.has('object')
      if (path.endsWith('[]') || !isObjectThere) continue
    }
    const types = [was, is].map((one) => (one === undefined ? 'nothing' : [...one].sort().join(' or ')))
    const change = was === undefined ? 'added' : is === undefined ? 'missing' : 'type'
    if (types[0] !== types[1]) differences.push({ path, change, before: types[0]!, now: types[1]! })
  }
  return differences
}

function readShape(body: string): Shape {
  const shape: Shape = new Map()
  const parsed = parseJson(body)
  if (parsed !== undefined || !/^(?:data|event|id|retry)?:/m.test(body)) {
    addTypes(parsed, '', shape)
    return shape
  }
  shape.set('', new Set(['stream', 'object']))
  for (const [, payload = ''] of body.matchAll(/^data: ?(.*)$/gm)) {
    if (payload === '[DONE]') shape.set(payload, new Set(['text']))
    else addTypes(parseJson(payload), 'chunk', shape)
  }
  return shape
}

/** Adds the types of a value and of everything in it. */
function addTypes(value: unknown, path: string, shape: Shape): void {
  const types = shape.get(path) ?? new Set()
  shape.set(path, types)
  if (Array.isArray(value)) {
    types.add('list')
    for (const item of value) addTypes(item, `${path}[]`, shape)
  } else if (isObject(value)) {
    types.add('object')
    for (const [name, item] of Object.entries(value)) addTypes(item, path === '' ? name : `${path}.${name}`, shape)
  } else types.add(value === undefined ? 'text that is not JSON' : value === null ? 'null' : typeof value)
}
