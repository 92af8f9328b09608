/** What can be done about the next call like this one. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { navigate } from '../app/router.ts'
import { pathToFailing } from '../faults/fault-name.tsx'
import { pathToRuleFrom } from '../scenario/scenario-store.ts'

interface NextAction {
  readonly label: string
  readonly key: string
  readonly run: () => void
}

export const nextActions = (call: CallDetails): readonly NextAction[] => [
  { label: 'Fail the next call like this', key: 'x', run: () => navigate(pathToFailing(call)) },
  { label: 'Add a rule from this call', key: 'a', run: () => navigate(pathToRuleFrom(call.number)) },
]
