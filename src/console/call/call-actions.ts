/** What can be copied of a call. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { copyText } from '../app/dialogs.tsx'
import { say } from '../app/notices.tsx'
import { act } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { pathToFailing } from '../faults/fault-form.tsx'
import { embedded } from '../report/embedded.ts'
import { formatRule } from '../scenario/scenario-rule.ts'
import { pathToRuleFrom } from '../scenario/scenario-store.ts'
import { formatCurl, formatPython, formatTest, formatTypeScript } from './snippets.ts'

interface CopyAction {
  readonly label: string
  readonly key?: string
  readonly run: () => void
}

/** Where `api-mock` listens: the mock of a run has ended. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:4010'

export function copyActions(call: CallDetails): readonly CopyAction[] {
  const origin = embedded === undefined ? location.origin : DEFAULT_ORIGIN
  const copy = (text: string, done: string) => act(() => copyText(text, done))
  const copyIfPossible = (result: { text: string } | { impossible: string }, done: string): void => {
    if ('impossible' in result) say(result.impossible, { isProblem: true })
    else copy(result.text, done)
  }
  return [
    { label: 'curl', key: 'c', run: () => copy(formatCurl(call, origin), 'Copied as curl.') },
    { label: 'Python', run: () => copyIfPossible(formatPython(call, origin), 'Copied as Python.') },
    { label: 'TypeScript', run: () => copyIfPossible(formatTypeScript(call, origin), 'Copied as TypeScript.') },
    { label: 'Rule', key: 'r', run: () => copyIfPossible(formatRule(call), 'Copied as a rule for a scenario.') },
    { label: 'Test', run: () => copyIfPossible(formatTest(call), 'Copied as a test.') },
    {
      label: 'Link',
      run: () => copy(new URL(pathTo('calls', call.number), location.href).href, 'Copied the address of the call.'),
    },
  ]
}

interface NextAction {
  readonly label: string
  readonly key: string
  readonly run: () => void
}

export const nextActions = (call: CallDetails): readonly NextAction[] => [
  { label: 'Fail the next call like this', key: 'x', run: () => navigate(pathToFailing(call)) },
  { label: 'Add a rule from this call', key: 'a', run: () => navigate(pathToRuleFrom(call.number)) },
]
