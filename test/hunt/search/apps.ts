/** Small apps for the search: programs of calls with retries, fallbacks and mistakes, and every run of them. */
import fc from 'fast-check'
import { faultFinder, type PlannedFault } from '../../../src/hunt/search/fault-set.ts'
import type { AppRun, SeenCall } from '../../../src/hunt/search/known-runs.ts'

export const FAULTS = ['server-error', 'invalid-request', 'other-text'] as const
type Fault = (typeof FAULTS)[number]

/** A call with what the app does about its failure. */
export interface Step {
  readonly call: string
  readonly retries: number
  /** What is called when the retries are used up; without it, the app ignores the failure or fails. */
  readonly fallback: readonly Step[]
  readonly isOptional: boolean
  /** Whether a wrong text makes the app fail at once, or only if this happens twice. */
  readonly trust: 'checked' | 'trusted' | 'trusted twice'
}

/** Runs the app. It fails as soon as a step does; the calls are those until then. */
export function runApp(steps: readonly Step[], faults: readonly PlannedFault[]): AppRun {
  const calls: SeenCall[] = []
  const attempts = new Map<string, number>()
  let wrongTexts = 0
  const send = (id: string): Fault | undefined => {
    const attempt = (attempts.get(id) ?? 0) + 1
    attempts.set(id, attempt)
    const fault = faultFinder(faults)(id, attempt) as Fault | undefined
    calls.push({ id, attempt, ...(fault !== undefined && { fault }) })
    return fault
  }
  const play = ({ call, retries, fallback, isOptional, trust }: Step): boolean => {
    let fault = send(call)
    for (let retry = 0; fault === 'server-error' && retry < retries; retry++) fault = send(call)
    if (fault === undefined) return true
    if (fault === 'other-text') {
      if (trust === 'trusted twice') return ++wrongTexts < 2
      return trust === 'checked'
    }
    return fallback.length > 0 ? fallback.every(play) : isOptional
  }
  return { isPassed: steps.every(play), calls }
}

/** Whether a run with these faults would be this run again: each call has the fault that it would get. */
export const repeats = ({ calls }: AppRun, faults: readonly PlannedFault[]): boolean =>
  calls.every(({ id, attempt, fault }) => faultFinder(faults)(id, attempt) === fault)

const NAMES = ['plan', 'search', 'answer', 'check'] as const

const step: fc.Memo<Step> = fc.memo((depth) =>
  fc.record({
    call: fc.constantFrom(...NAMES),
    retries: fc.integer({ min: 0, max: 2 }),
    fallback: depth > 1 ? fc.array(step(depth - 1), { maxLength: 2 }) : fc.constant([]),
    isOptional: fc.boolean(),
    trust: fc.constantFrom('checked', 'trusted', 'trusted twice'),
  }),
)

export const apps = fc.array(step(2), { minLength: 1, maxLength: 3 })

/** The most times that such an app makes one call in one run. */
const MAX_ATTEMPTS = 9

/** Every set of at most so many faults that fails although no smaller part of it does. */
export function failuresOf(steps: readonly Step[], depth: number): (readonly PlannedFault[])[] {
  const places = [...calledBy(steps)].flatMap((call) =>
    (['every', ...Array.from({ length: MAX_ATTEMPTS }, (_, index) => index + 1)] as const).flatMap((attempt) =>
      FAULTS.map((fault): PlannedFault => ({ call, attempt, fault })),
    ),
  )
  const minimal: (readonly PlannedFault[])[] = []
  let sets: (readonly PlannedFault[])[] = [[]]
  for (let size = 1; size <= depth; size++) {
    sets = sets.flatMap((set) => {
      const after = set.length === 0 ? 0 : places.indexOf(set.at(-1)!) + 1
      const isFree = (place: PlannedFault): boolean =>
        set.every(({ call, attempt }) => call !== place.call || attempt !== place.attempt)
      return places
        .slice(after)
        .filter(isFree)
        .map((place) => [...set, place])
    })
    const isSmallest = (set: readonly PlannedFault[]): boolean =>
      minimal.every((smaller) => !smaller.every((one) => set.includes(one)))
    minimal.push(...sets.filter((set) => isSmallest(set) && !runApp(steps, set).isPassed))
  }
  return minimal
}

function* calledBy(steps: readonly Step[]): Generator<string> {
  const seen = new Set<string>()
  const visit = ({ call, fallback }: Step): void => {
    seen.add(call)
    fallback.forEach(visit)
  }
  steps.forEach(visit)
  yield* seen
}
