/** What the makers of values share: a task, and the maker that they hand inner tasks to. */
import type { Random } from '../../random/random.ts'
import type { Schema } from '../schema.ts'
import type { Validator } from '../validate/validator.ts'
import type { MinDepth } from './min-depth.ts'

export interface GenerateOptions {
  /**
   * Which properties that are not required an object has: a readable share of them, all, or none.
   * @default 'some'
   */
  readonly optional?: 'some' | 'all' | 'none'
  /**
   * How many steps of work may be spent before the schema is given up.
   * @default 250000
   */
  readonly workLimit?: number
}

/** One value to be made. */
export interface Task {
  /** The value must be valid against all of these. */
  readonly schemas: readonly Schema[]
  /** Where in the schema, as a JSON pointer. */
  readonly path: string
  /** The name of the property that the value is for, or that an item's array is for. */
  readonly name: string
  readonly depth: number
  /** Take the shortest way: the value is deep or large enough. */
  readonly isEnding: boolean
  /** The equality keys of the values that this one must differ from. */
  readonly taken?: ReadonlySet<string>
}

export interface Maker {
  readonly random: Random
  readonly validator: Validator
  readonly wayOut: MinDepth
  readonly options: GenerateOptions
  /** Makes a value, or throws. */
  make(task: Task): unknown
  /** The beginnings of a task one level further in. */
  inside(task: Task, path: string): Pick<Task, 'path' | 'depth' | 'isEnding'>
}
