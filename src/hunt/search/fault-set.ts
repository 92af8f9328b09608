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

/** A set as a text, for comparison. */
export const nameOf = (faults: FaultSet): string => faults.map(keyOf).join('\n')

/** The fault that a set applies to an attempt of a call. */
export function faultFor(faults: FaultSet, id: string, attempt: number): string | undefined {
  const once = faults.find((one) => one.call === id && one.attempt === attempt)
  if (once !== undefined) return once.fault
  let latest: PlannedFault | undefined
  for (const one of faults) {
    if (one.attempt !== 'every') continue
    // A fault on every attempt of the n-th call of a kind lasts: it hits all later calls of the kind too.
    const lasts = isNthOfKind(one.call) && isSameKind(one.call, id) && placeIn(one.call) < placeIn(id)
    if (one.call !== id && !lasts) continue
    if (latest === undefined || placeIn(one.call) > placeIn(latest.call)) latest = one
  }
  return latest?.fault
}

/** The name of the n-th call of a kind. */
export const nthOfKind = (kind: string, place: number): string => `${kind} #${place}`

/** True if a fault on every attempt of a call hits later calls too. */
export const isNthOfKind = (id: string): boolean => id.includes(' #')

const PLACE = / #(\d+)$/

/** The place of a call among those of its kind; 0 for a call that has another name. */
const placeIn = (id: string): number => Number(PLACE.exec(id)?.[1] ?? 0)

export const isSameKind = (one: string, other: string): boolean =>
  one === other || one.replace(PLACE, '') === other.replace(PLACE, '')

/** The first call that a fault hits, counted from 1 among those of its name or kind. */
export const startOf = ({ call, attempt }: PlannedFault): number =>
  isNthOfKind(call) ? placeIn(call) : attempt === 'every' ? 1 : attempt

/** True if a set contains all faults of another one. */
export const hasAll = (faults: FaultSet, others: FaultSet): boolean =>
  others.every(({ call, attempt, fault }) =>
    faults.some((one) => one.call === call && one.attempt === attempt && one.fault === fault),
  )
