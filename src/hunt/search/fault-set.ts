/**
 * Sets of faults on the calls of an app.
 *
 * A call has a name that is the same in each run: a hash of its request (`1q307jmytm5`), or its position among the calls of
 * a kind. `chat gpt-4o #2` is the second chat with gpt-4o, and `* #3` the third call of all.
 *
 *     { call: '1q307jmytm5', attempt: 1, fault: 'hang' }                      the first attempt of this call
 *     { call: '1q307jmytm5', attempt: 'every', fault: 'hang' }                every attempt of it
 *     { call: 'chat gpt-4o #2', attempt: 'every', fault: 'hang' }             the second chat with gpt-4o and all later ones
 *     { call: '1q307jmytm5', attempt: 'from chat gpt-4o #2', fault: 'hang' }  an outage, which begins with this call
 */

/** An outage: it begins with a call and hits all later calls, of its model (`from chat gpt-4o #2`) or of any (`from * #3`). */
export type Outage = `from ${string}`

/** A fault on one attempt of a call, on every attempt, or on all calls from this one on. */
export interface PlannedFault {
  readonly call: string
  /** Counted from 1. An outage goes before a fault on one attempt, and that before one on every attempt. */
  readonly attempt: number | 'every' | Outage
  /** A class of faults, or a fault with its options: `cut; after=3`. */
  readonly fault: string
}

/** A set of faults, sorted by `keyOfFault`, so that its order does not depend on how it came about. */
export type FaultSet = readonly PlannedFault[]

/** The set with one more fault; undefined if it has a fault on the same attempt. */
export function withFault(faults: FaultSet, added: PlannedFault): FaultSet | undefined {
  const isTaken = faults.some(({ call, attempt }) => call === added.call && attempt === added.attempt)
  if (isTaken) return undefined
  return [...faults, added].sort((one, other) => (keyOfFault(one) < keyOfFault(other) ? -1 : 1))
}

/** A text that is the same for equal faults. */
export const keyOfFault = ({ call, attempt, fault }: PlannedFault): string => JSON.stringify([call, attempt, fault])

/** A text that is the same for equal sets. */
export const keyOfSet = (faults: FaultSet): string => faults.map(keyOfFault).join('\n')

/** True if a set contains all faults of another one. */
export const hasAll = (faults: FaultSet, others: FaultSet): boolean =>
  others.every(({ call, attempt, fault }) =>
    faults.some((one) => one.call === call && one.attempt === attempt && one.fault === fault),
  )

/** Finds the fault that a set applies to an attempt of a call. @param positions its names by position: `* #3`, `chat gpt-4o #2` */
export type FindFault = (id: string, attempt: number, positions?: readonly string[]) => string | undefined

/** Reads a set once, because a search asks for each call of each known run. */
export function faultFinder(faults: FaultSet): FindFault {
  const outages = outagesOf(faults).map((outage) => ({ ...outage, start: readPosition(outageStart(outage)!) }))
  const byAttempt = new Map(faults.map(({ call, attempt, fault }) => [`${attempt} ${call}`, fault]))
  // Of faults on every attempt, the one that begins last applies.
  const onEveryAttempt = faults
    .flatMap(({ call, attempt, fault }) => (attempt === 'every' ? { start: readPosition(call), fault } : []))
    .sort((one, other) => other.start.number - one.start.number)
  const isReached = (start: Position, { kind, number }: Position): boolean =>
    kind === start.kind && number >= start.number
  return (id, attempt, positions = []) => {
    // Most sets have no outage, and names are slow to read.
    if (outages.length > 0) {
      const reached = positions.map(readPosition)
      const outage = outages.find(({ start }) => reached.some((position) => isReached(start, position)))
      if (outage !== undefined) return outage.fault
    }
    const onAttempt = byAttempt.get(`${attempt} ${id}`)
    if (onAttempt !== undefined || onEveryAttempt.length === 0) return onAttempt
    const position = readPosition(id)
    return onEveryAttempt.find(({ start }) => isReached(start, position))?.fault
  }
}

/** The outages of a set, those of all models first, and of these the first to begin. */
export const outagesOf = (faults: FaultSet): FaultSet =>
  faults
    .filter((fault) => outageStart(fault) !== undefined)
    .sort((one, other) => Number(isOfModel(one)) - Number(isOfModel(other)) || startOf(one) - startOf(other))

/** The name of the first call that an outage hits, `chat gpt-4o #2`; undefined for another fault. */
export const outageStart = ({ attempt }: Pick<PlannedFault, 'attempt'>): string | undefined =>
  typeof attempt === 'string' && attempt !== 'every' ? attempt.slice('from '.length) : undefined

/** True for an outage of one model, false for one of all. Ask only for outages. */
export const isOfModel = ({ attempt }: Pick<PlannedFault, 'attempt'>): boolean =>
  readPosition(outageStart({ attempt }) ?? '').kind !== ALL_CALLS

/** True for a fault that never ends: on every attempt, or an outage. */
export const isLasting = ({ attempt }: Pick<PlannedFault, 'attempt'>): boolean => typeof attempt === 'string'

/** The first call that a fault hits, counted from 1 among those of its name or kind. */
export function startOf({ call, attempt }: PlannedFault): number {
  const { number } = readPosition(outageStart({ attempt }) ?? call)
  if (number > 0) return number
  return typeof attempt === 'number' ? attempt : 1
}

/** The kind that includes all calls. */
export const ALL_CALLS = '*'

/** True if a call is named by its position. A fault on every attempt of it hits later calls of the kind too. */
export const isNthOfKind = (id: string): boolean => id.includes(' #')

export const isSameKind = (one: string, other: string): boolean => readPosition(one).kind === readPosition(other).kind

interface Position {
  readonly kind: string
  /** Counted from 1; 0 for a call that is named by its request, which is of a kind of its own. */
  readonly number: number
}

function readPosition(name: string): Position {
  const end = name.lastIndexOf(' #')
  return end < 0 ? { kind: name, number: 0 } : { kind: name.slice(0, end), number: Number(name.slice(end + 2)) }
}
