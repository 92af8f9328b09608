/** The differences between the shape that the service publishes and the shape that the mock has. */
import type { Shape } from './shape.ts'

export interface Difference {
  /** `messages[].content[].type`. */
  readonly path: string
  /** `published`: the package has it and the mock does not. `mock`: the other way round. */
  readonly onlyIn: 'published' | 'mock'
  /** What only one of them has: `field`, `kind number` or `"scale"`. */
  readonly what: string
}

/**
 * The differences of two shapes, field by field. What is below a field that only one has is not listed.
 * @param published the shape by the types of the official package
 * @param mock the shape that the mock accepts, or that its answers have
 */
export function compareShapes(published: Shape, mock: Shape, path = ''): Difference[] {
  const differences: Difference[] = []
  const add = (onlyIn: Difference['onlyIn'], what: string, place = path): void => {
    differences.push({ path: place, onlyIn, what })
  }
  for (const kind of without(published.kinds, mock.kinds)) add('published', `kind ${kind}`)
  for (const kind of without(mock.kinds, published.kinds)) add('mock', `kind ${kind}`)
  if (!mock.isOpen) for (const text of without(published.texts, mock.texts)) add('published', JSON.stringify(text))
  if (!published.isOpen) for (const text of without(mock.texts, published.texts)) add('mock', JSON.stringify(text))
  for (const [name, field] of published.fields) {
    const other = mock.fields.get(name) ?? (published.item === undefined ? mock.item : undefined)
    const place = path === '' ? name : `${path}.${name}`
    if (other !== undefined) differences.push(...compareShapes(field, other, place))
    else if (!takesAny(mock)) add('published', 'field', place)
  }
  for (const [name, field] of mock.fields) {
    const place = path === '' ? name : `${path}.${name}`
    if (published.fields.has(name)) continue
    if (published.item !== undefined) differences.push(...compareShapes(published.item, field, place))
    else if (!takesAny(published)) add('mock', 'field', place)
  }
  if (published.item !== undefined && mock.item !== undefined)
    differences.push(...compareShapes(published.item, mock.item, `${path}[]`))
  return differences
}

/** Whether the object may have any fields: a JSON Schema, for example. */
const takesAny = ({ kinds, fields, item }: Shape): boolean =>
  kinds.has('object') && fields.size === 0 && item === undefined

const without = (these: ReadonlySet<string>, those: ReadonlySet<string>): string[] =>
  [...these].filter((one) => !those.has(one))
