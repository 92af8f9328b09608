/** Compares two JSON values, field by field. */

export interface JsonDifference {
  /** `messages[1].content`; '' for the values as a whole. */
  readonly path: string
  /** Undefined where only the other value has the field. */
  readonly left: unknown
  readonly right: unknown
}

/** Enough to see what differs; more would hide it. */
const MAX_DIFFERENCES = 200

/** Deeper values are compared as a whole. */
const MAX_DEPTH = 200

/** The smallest parts that differ, in the order of the left value; at most 200. */
export function diffJson(left: unknown, right: unknown): readonly JsonDifference[] {
  const found: JsonDifference[] = []
  compare('', left, right, found, 0)
  return found
}

function compare(path: string, left: unknown, right: unknown, found: JsonDifference[], depth: number): void {
  if (found.length >= MAX_DIFFERENCES || Object.is(left, right)) return
  if (depth >= MAX_DEPTH) found.push({ path, left, right })
  else if (Array.isArray(left) && Array.isArray(right)) {
    for (let index = 0; index < Math.max(left.length, right.length); index++) {
      compare(`${path}[${index}]`, left[index], right[index], found, depth + 1)
    }
  } else if (isObject(left) && isObject(right)) {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      compare(joinPath(path, name), fieldOf(left, name), fieldOf(right, name), found, depth + 1)
    }
  } else found.push({ path, left, right })
}

const fieldOf = (value: Readonly<Record<string, unknown>>, name: string): unknown =>
  Object.hasOwn(value, name) ? value[name] : undefined

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function joinPath(path: string, name: string): string {
  if (!/^[A-Za-z_$][\w$-]*$/.test(name)) return `${path}[${JSON.stringify(name)}]`
  return path === '' ? name : `${path}.${name}`
}
