/** Summarizes the changes between two scenarios for a log: `replies: 1 added`, `seed 7 -> 8`. */
import type { ScenarioSource } from '../grammar/schema.ts'

const MAX_VALUE_LENGTH = 30
const MAX_NAMED = 3

/**
 * The changes in the order of the scenario; empty if there are none. API keys are counted, not named: they are secrets.
 * @example changesBetween({ description: 'x', seed: 7 }, { description: 'x', seed: 8 }) // ['seed 7 -> 8']
 */
export function changesBetween(before: ScenarioSource, after: ScenarioSource): string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof ScenarioSource>
  return [...names].flatMap((name) => changeOf(name, before[name], after[name]))
}

function changeOf(name: keyof ScenarioSource, before: unknown, after: unknown): string[] {
  if (isSame(before, after)) return []
  switch (name) {
    case 'replies':
    case 'faults':
      return [listChange(name, (before ?? []) as unknown[], (after ?? []) as unknown[])]
    case 'keys':
      return [mapChange(name, (before ?? {}) as object, (after ?? {}) as object, false)]
    case 'models':
    case 'states':
      return [mapChange(name, (before ?? {}) as object, (after ?? {}) as object, true)]
    case 'limits':
    case 'pace':
      return fieldChanges(name, (before ?? {}) as object, (after ?? {}) as object)
    default:
      return [valueChange(name, before, after)]
  }
}

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

function fieldChanges(name: string, before: object, after: object): string[] {
  const fields = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof object>
  return [...fields]
    .filter((field) => !isSame(before[field], after[field]))
    .map((field) => valueChange(`${name}.${field}`, before[field], after[field]))
}

/** `seed 7 -> 8` if both values are short, otherwise `seed changed`. */
function valueChange(name: string, before: unknown, after: unknown): string {
  if (before === undefined) return isShort(after) ? `${name} ${text(after)} added` : `${name} added`
  if (after === undefined) return `${name} removed`
  return isShort(before) && isShort(after) ? `${name} ${text(before)} -> ${text(after)}` : `${name} changed`
}

const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
const isShort = (value: unknown): boolean => text(value).length <= MAX_VALUE_LENGTH && !/\p{Cc}/u.test(text(value))

/** Counts the changed, added and removed items between the common start and end of two lists. */
function listChange(name: string, before: readonly unknown[], after: readonly unknown[]): string {
  const was = before.map((item) => JSON.stringify(item))
  const is = after.map((item) => JSON.stringify(item))
  if (isSame([...was].sort(), [...is].sort())) return `${name}: in another order`
  let start = 0
  while (start < was.length && start < is.length && was[start] === is[start]) start++
  let end = 0
  const most = Math.min(was.length, is.length) - start
  while (end < most && was.at(-1 - end) === is.at(-1 - end)) end++
  const [gone, come] = [was.length - start - end, is.length - start - end]
  if (gone === 1 && come === 1) return `${name}[${start}] changed`
  return `${name}: ${counts([
    [Math.min(gone, come), 'changed'],
    [come - gone, 'added'],
    [gone - come, 'removed'],
  ])}`
}

const counts = (parts: readonly (readonly [number, string])[]): string =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, what]) => `${count} ${what}`)
    .join(', ')

function mapChange(name: string, before: object, after: object, showsNames: boolean): string {
  const added = Object.keys(after).filter((key) => !Object.hasOwn(before, key))
  const removed = Object.keys(before).filter((key) => !Object.hasOwn(after, key))
  const changed = Object.keys(after).filter(
    (key) => Object.hasOwn(before, key) && !isSame(before[key as keyof object], after[key as keyof object]),
  )
  const all = [
    [added, 'added'],
    [removed, 'removed'],
    [changed, 'changed'],
  ] as const
  if (all.every(([names]) => names.length === 0)) return `${name}: in another order`
  if (!showsNames) return `${name}: ${counts(all.map(([names, what]) => [names.length, what]))}`
  return `${name}: ${all
    .filter(([names]) => names.length > 0)
    .map(([names, what]) => `${listed(names)} ${what}`)
    .join(', ')}`
}

const listed = (names: readonly string[]): string =>
  names.length > MAX_NAMED ? String(names.length) : names.map(oneLine).join(' and ')
// The log goes to terminals.
const oneLine = (name: string): string => name.replace(/\p{Cc}/gu, ' ').slice(0, MAX_VALUE_LENGTH)
