/** The menus of a call: what can be copied of it, and actions on the next call like it. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { copyText } from '../app/dialogs.tsx'
import { act } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { pathToFailing } from '../faults/fault-form.tsx'
import type { MenuItem } from '../parts/menu.tsx'
import { embedded } from '../report/embedded.ts'
import { formatRule } from '../scenario/scenario-rule.ts'
import { pathToRuleFrom } from '../scenario/scenario-store.ts'
import { formatCurl, formatPython, formatTest, formatTypeScript } from './snippets.ts'

/** The address at which `api-mock` listens: the mock of a run has ended. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:4010'

export function copyActions(call: CallDetails): readonly MenuItem[] {
  const origin = embedded === undefined ? location.origin : DEFAULT_ORIGIN
  const copy = (format: () => string, what: string): void => act(async () => copyText(format(), `Copied ${what}.`))
  const link = () => new URL(pathTo('calls', call.number), location.href).href
  return [
    { label: 'curl', key: 'c', run: () => copy(() => formatCurl(call, origin), 'as curl') },
    { label: 'Python', run: () => copy(() => formatPython(call, origin), 'as Python') },
    { label: 'TypeScript', run: () => copy(() => formatTypeScript(call, origin), 'as TypeScript') },
    { label: 'Rule', key: 'r', run: () => copy(() => formatRule(call), 'as a rule for a scenario') },
    { label: 'Test', run: () => copy(() => formatTest(call), 'as a test') },
    { label: 'Link', run: () => copy(link, 'the address of the call') },
  ]
}

export const nextActions = (call: CallDetails): readonly MenuItem[] => [
  { label: 'Fail the next call like this', key: 'x', run: () => navigate(pathToFailing(call)) },
  { label: 'Add a rule from this call', key: 'a', run: () => navigate(pathToRuleFrom(call.number)) },
]
