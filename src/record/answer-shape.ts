/**
 * The shape of an answer: its fields and their types, without their values; and how two shapes differ.
 *
 *     { "id": "chatcmpl-1", "choices": [{ "index": 0 }] }
 *
 *     ''                 object
 *     id                 string
 *     choices            list
 *     choices[]          object
 *     choices[].index    number
 */
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
  const shapeBefore = readShape(before.body)
  const shapeNow = readShape(now.body)
  for (const path of new Set([...shapeBefore.keys(), ...shapeNow.keys()])) {
    const typesBefore = describeTypes(shapeBefore.get(path))
    const typesNow = describeTypes(shapeNow.get(path))
    const add = (change: ShapeDifference['change']): void =>
      void differences.push({ path, change, before: typesBefore, now: typesNow })
    if (lacksField(shapeBefore, path)) add('added')
    else if (lacksField(shapeNow, path)) add('missing')
    else if (shapeBefore.has(path) && shapeNow.has(path) && typesBefore !== typesNow) add('type')
  }
  return differences
}

const describeTypes = (types?: ReadonlySet<string>): string =>
  types === undefined ? 'nothing' : [...types].sort().join(' or ')

/** True if a shape has the object of a field, but not the field. An empty list says nothing about its items. */
function lacksField(shape: Shape, path: string): boolean {
  if (shape.has(path) || path.endsWith('[]')) return false
  const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')))
  return shape.get(parent)?.has('object') === true
}

/** The shape of a body. The chunks of a stream have one together, below `chunk`. */
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
