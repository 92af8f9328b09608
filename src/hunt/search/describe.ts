/** Findings in words. */
import { type Finding, isFlaky, isUnconfirmed, type Refinement } from './experiments.ts'
import { faultFields, faultText, isFaultClass } from './fault-classes.ts'
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
  const { refinements = [] } = first!
  const lines = places.map((place, index) => describePlace(place, known, refinements[index]))
  const possible = places.reduce((product, { faults }) => product * faults.length, 1)
  const some = possible > findings.length ? [`${findings.length} of these ${possible} combinations`] : []
  const details = new Set(findings.flatMap(({ detail }) => detail ?? []))
  return { size: count + describeTries(first!), lines: [...lines, ...some, ...details] }
}

/** `, 3 of 5 times`, or `, not confirmed (1 of 1)`; '' if it failed each time. */
export function describeTries(finding: Pick<Finding, 'failures' | 'tries'>): string {
  if (isUnconfirmed(finding)) return ', not confirmed (1 of 1)'
  return isFlaky(finding) ? `, ${finding.failures} of ${finding.tries} times` : ''
}

function describePlace({ call, attempt, faults }: GroupPlace, known: KnownCalls, refinement?: Refinement): string {
  const found = knownCall(call, known)
  const number = [...known.keys()].indexOf(call) + 1
  const [first = '', ...others] = faults
  // One fault is shown with its options. Of several, the classes say more.
  const text = others.length === 0 ? faultText(faultFields(first, found)) : orList(faults)
  const hasOtherName = others.length === 0 && isFaultClass(first) && !`${text};`.startsWith(`${first};`)
  const details = [...(hasOtherName ? [text] : []), ...describeRefinement(refinement)]
  const what = `${hasOtherName ? first : text}${details.length > 0 ? ` (${details.join('; ')})` : ''}`
  return `call ${number} (${found.label}, ${extentText(call, attempt)}): ${what}`
}

/** `also with 502, 503` and `not with 504` */
function describeRefinement({ fails, passes }: Refinement = { fails: [], passes: [] }): string[] {
  return [
    ...(fails.length > 0 ? [`also with ${fails.map(withoutWait).join(', ')}`] : []),
    ...(passes.length > 0 ? [`not with ${passes.map(withoutWait).join(', ')}`] : []),
  ]
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
