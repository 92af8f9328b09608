/** Sets of faults on the calls of an app. */

/** A fault on one attempt of a call, or on every attempt. */
export interface PlannedFault {
  /** The call, by a name that is the same in each run. */
  readonly call: string
  /** Counted from 1. A fault on one attempt goes before one on every attempt. */
  readonly attempt: number | 'every'
  /** A class of faults, or a fault with its options: `cut; after=3`. */
  readonly fault: string
}

/** In an order that does not depend on how the set came about. */
export type FaultSet = readonly PlannedFault[]

export const keyOf = ({ call, attempt, fault }: PlannedFault): string => JSON.stringify([call, attempt, fault])

/** The set with one more fault; undefined if the place is taken. */
export function withFault(faults: FaultSet, added: PlannedFault): FaultSet | undefined {
  const isTaken = faults.some(({ call, attempt }) => call === added.call && attempt === added.attempt)
  if (isTaken) return undefined
  return [...faults, added].sort((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

/** The fault that a set applies to an attempt of a call. */
export function faultFor(faults: FaultSet, id: string, attempt: number): string | undefined {
  const ofCall = faults.filter(({ call }) => call === id)
  const found = ofCall.find((one) => one.attempt === attempt) ?? ofCall.find((one) => one.attempt === 'every')
  return found?.fault
}

/** Whether a set contains all faults of another one. */
export function hasAll(faults: FaultSet, others: FaultSet): boolean {
  const keys = new Set(faults.map(keyOf))
  return others.every((other) => keys.has(keyOf(other)))
}
