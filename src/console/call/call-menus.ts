/** The menus of a call: copies of it as code, rules and tests, and actions for the next call like it. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { copyText } from '../app/messages.tsx'
import { act, calls, readCall, status } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { pathToFault } from '../faults/fault-form.tsx'
import type { MenuItem } from '../parts/elements.tsx'
import { embedded } from '../report/embedded.ts'
import { formatRule } from '../scenario/rule-text.ts'
import * as sessionFiles from './session-files.ts'
import { LANGUAGES } from './snippets.ts'

/** The address at which `api-mock` listens, for the report in a file: the mock of the run has ended. */
const DEFAULT_ORIGIN = 'http://127.0.0.1:4010'

/** The entries of the menu Copy. */
export function listCopies(call: CallDetails): readonly MenuItem[] {
  const origin = embedded === undefined ? location.origin : DEFAULT_ORIGIN
  const spareKey = status.value?.exampleKey
  const session = async (): Promise<sessionFiles.CopiedSession> => {
    const all = calls.all.value.filter(({ caller, session }) => caller === call.caller && session === call.session)
    const latest = await Promise.all(all.slice(-sessionFiles.MAX_SESSION_CALLS).map(({ number }) => readCall(number)))
    const repeatable = sessionFiles.selectRepeatable(latest)
    return { calls: repeatable, leftOut: all.length - repeatable.length }
  }
  /** @param copied the words for the message: `Copied as curl.` */
  const copy = (label: string, copied: string, write: () => string | Promise<string>, key?: string): MenuItem => ({
    label,
    key,
    run: () => act(async () => copyText(await write(), `Copied ${copied}.`)),
  })
  return [
    ...LANGUAGES.map(({ title, key, format }) =>
      copy(title, `as ${title}`, () => format(call, origin, undefined, spareKey), key),
    ),
    copy('Rule', 'as a rule for a scenario', () => formatRule(call), 'r'),
    copy('Test', 'as a test', () => sessionFiles.formatTest(call)),
    copy('Session as scenario', 'the session as a scenario', () => session().then(sessionFiles.formatSessionScenario)),
    copy('Session as test', 'the session as a test', () => session().then(sessionFiles.formatSessionTest)),
    copy('Link', 'the address of the call', () => new URL(pathTo('calls', call.number), location.href).href),
  ]
}

/** The entries of the menu Next call. */
export const listNextCalls = (call: CallDetails): readonly MenuItem[] => [
  // With the same fault, if it had one.
  {
    label: 'Fail the next call like this',
    key: 'x',
    run: () => navigate(pathToFault(call.fault ?? 'server-error', call.number)),
  },
  { label: 'Add a rule from this call', key: 'a', run: () => navigate(pathTo('scenario', 'add', call.number)) },
]
