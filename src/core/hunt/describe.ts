/** Findings in words. */
import { isFlaky, type Refinement } from './experiments.ts'
import { faultFields, faultText } from './fault-classes.ts'
import { isNthOfKind, type PlannedFault } from './fault-set.ts'
import type { FindingGroup, GroupPlace } from './groups.ts'
import type { KnownCall } from './observe.ts'
import { knownCall } from './reproduce.ts'

type KnownCalls = ReadonlyMap<string, KnownCall>

/** `call 2 (POST chat "Summarise...", every attempt): cut; before=finish`. */
export const describeFault = ({ call, attempt, fault }: PlannedFault, known: KnownCalls): string =>
  describePlace({ call, attempt, faults: [fault] }, known)

/** `2 faults, 3 of 5 times`, and a line for each call: `call 1 (POST chat "Hello", attempt 1): bad-request, cut or hang`. */
export function describeGroup(
  { places, findings }: FindingGroup,
  known: KnownCalls,
): { readonly size: string; readonly lines: readonly string[] } {
  const [first] = findings
  const count = places.length === 1 ? '1 fault' : `${places.length} faults`
  const flaky = isFlaky(first!) ? `, ${first!.failures} of ${first!.tries} times` : ''
  const { refinements = [] } = first!
  const lines = places.map((place, index) => describePlace(place, known) + describeRefinement(refinements[index]))
  const possible = places.reduce((product, { faults }) => product * faults.length, 1)
  const some = possible > findings.length ? [`${findings.length} of these ${possible} combinations`] : []
  const details = new Set(findings.flatMap(({ detail }) => detail ?? []))
  return { size: `${count}${flaky}`, lines: [...lines, ...some, ...details] }
}

function describePlace({ call, attempt, faults }: GroupPlace, known: KnownCalls): string {
  const found = knownCall(call, known)
  const number = [...known.keys()].indexOf(call) + 1
  // One fault is shown with its options. Of several, the classes say more.
  const names = faults.length === 1 ? faults.map((fault) => faultText(faultFields(fault, found))) : faults
  return `call ${number} (${found.label}, ${extentText(call, attempt)}): ${orList(names)}`
}

/** ` (also with 502, 503; not with 504)`; '' when nothing else was tried. */
function describeRefinement(refinement: Refinement | undefined): string {
  const { fails, passes } = refinement ?? { fails: [], passes: [] }
  const parts = [
    ...(fails.length > 0 ? [`also with ${fails.map(withoutWait).join(', ')}`] : []),
    ...(passes.length > 0 ? [`not with ${passes.map(withoutWait).join(', ')}`] : []),
  ]
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

const withoutWait = (fault: string): string => fault.replace(/; retryAfter=\w+$/, '')

/** Which attempts of a call a fault hits: `attempt 1`. */
export function extentText(call: string, attempt: PlannedFault['attempt']): string {
  if (isNthOfKind(call)) return attempt === 'every' ? 'from here on' : 'once'
  return attempt === 'every' ? 'every attempt' : `attempt ${attempt}`
}

/** `bad-request, cut or hang` */
const orList = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
