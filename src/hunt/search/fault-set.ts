/** Sets of faults on the calls of an app. */

/** An outage: it begins with a call and hits all later calls, of its model (`from chat gpt-4o #2`) or of any (`from * #3`). */
export type Outage = `from ${string}`

/** A fault on one attempt of a call, on every attempt, or on all calls from this one on. */
export interface PlannedFault {
  /** The call, by a name that is the same in each run. */
  readonly call: string
  /** Counted from 1. An outage goes before a fault on one attempt, and that before one on every attempt. */
  readonly attempt: number | 'every' | Outage
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

/** The name of the first call that an outage hits; undefined for another fault. */
export const outageStart = ({ attempt }: Pick<PlannedFault, 'attempt'>): string | undefined =>
  typeof attempt === 'string' && attempt !== 'every' ? attempt.slice('from '.length) : undefined

/** True for a fault that never ends. */
export const isLasting = ({ attempt }: Pick<PlannedFault, 'attempt'>): boolean => typeof attempt === 'string'

/** The outages of a set, those of all models first, and of these the first to begin. */
export const outagesOf = (faults: FaultSet): FaultSet =>
  faults
    .filter((fault) => outageStart(fault) !== undefined)
    .sort((one, other) => Number(isOfModel(one)) - Number(isOfModel(other)) || startOf(one) - startOf(other))

const isOfModel = (fault: PlannedFault): boolean => placeOf(outageStart(fault)!).kind !== ALL

/** The kind that includes all calls. */
export const ALL = '*'

/** Finds the fault that a set applies to an attempt of a call, by its name, its attempt and its places among others. */
export type FindFault = (id: string, attempt: number, places?: readonly string[]) => string | undefined

/** Reads a set once, because a search asks for each call of each known run. */
export function faultFinder(faults: FaultSet): FindFault {
  const once = new Map(faults.map(({ call, attempt, fault }) => [`${attempt} ${call}`, fault]))
  const lasting = faults
    .flatMap(({ call, attempt, fault }) => (attempt === 'every' ? { ...placeOf(call), fault } : []))
    .sort((one, other) => other.place - one.place)
  const outages = outagesOf(faults).map((one) => ({ ...placeOf(outageStart(one)!), fault: one.fault }))
  return (id, attempt, places = []) => {
    if (outages.length > 0) {
      const here = places.map(placeOf)
      const isHit = ({ kind, place }: Place): boolean => here.some((one) => one.kind === kind && one.place >= place)
      const outage = outages.find(isHit)
      if (outage !== undefined) return outage.fault
    }
    const found = once.get(`${attempt} ${id}`)
    if (found !== undefined || lasting.length === 0) return found
    // A fault on every attempt of the n-th call of a kind lasts: it hits all later calls of the kind too.
    const { kind, place } = placeOf(id)
    return lasting.find((one) => one.kind === kind && one.place <= place)?.fault
  }
}

interface Place {
  readonly kind: string
  readonly place: number
}

/** Reads the name of the n-th call of a kind. A call with another name is of a kind of its own, in the place 0. */
function placeOf(name: string): Place {
  const end = name.lastIndexOf(' #')
  return end < 0 ? { kind: name, place: 0 } : { kind: name.slice(0, end), place: Number(name.slice(end + 2)) }
}

/** The name of the n-th call of a kind. */
export const nthOfKind = (kind: string, place: number): string => `${kind} #${place}`

/** True if a fault on every attempt of a call hits later calls too. */
export const isNthOfKind = (id: string): boolean => id.includes(' #')

export const isSameKind = (one: string, other: string): boolean => placeOf(one).kind === placeOf(other).kind

/** The first call that a fault hits, counted from 1 among those of its name or kind. */
export const startOf = ({ call, attempt }: PlannedFault): number =>
  placeOf(outageStart({ attempt }) ?? call).place || (typeof attempt === 'number' ? attempt : 1)

/** True if a set contains all faults of another one. */
export const hasAll = (faults: FaultSet, others: FaultSet): boolean =>
  others.every(({ call, attempt, fault }) =>
    faults.some((one) => one.call === call && one.attempt === attempt && one.fault === fault),
  )
