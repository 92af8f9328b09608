/** One call: its header, and tabs for what was asked, what was answered and when. */
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { copyText } from '../app/dialogs.tsx'
import { useKeys } from '../app/keys.tsx'
import { say } from '../app/notices.tsx'
import { navigate, pathTo, route } from '../app/router.ts'
import { act, api, calls } from '../app/store.ts'
import { Tabs } from '../parts/tabs.tsx'
import { formatRule } from '../scenario/scenario-rule.ts'
import { formatCurl } from './curl.ts'
import { RequestTab } from './request-tab.tsx'
import { ResponseTab } from './response-tab.tsx'
import { TimelineTab } from './timeline-tab.tsx'

interface Props {
  readonly number: number
  readonly newer: number | undefined
  readonly older: number | undefined
  readonly onOpen: (number: number) => void
  readonly onClose: () => void
}

const TABS = ['timeline', 'request', 'response'] as const
const TITLES = { timeline: 'Timeline', request: 'Request', response: 'Response' } as const

export function CallPanel({ number, newer, older, onOpen, onClose }: Props): JSX.Element {
  const { call, problem } = useCall(number)
  const chosen = route.value.rest[1] ?? TABS[0]
  const tab = TABS.find((name) => name === chosen) ?? TABS[0]
  const show = (name: string) => navigate(pathTo('calls', number, name), { replace: true })
  const copyCurl = () => call && act(() => copyText(formatCurl(call, location.origin), 'Copied as curl.'))
  const copyRule = () => {
    if (call === undefined) return
    const rule = formatRule(call)
    if ('impossible' in rule) say(rule.impossible, { isProblem: true })
    else act(() => copyText(rule.text, 'Copied as a rule for a scenario.'))
  }
  useKeys({ c: () => void copyCurl(), r: copyRule })
  return (
    <section class="call" aria-label={`Call ${number}`}>
      <div class="call-head">
        <button type="button" class="back" onClick={onClose}>
          ← Calls
        </button>
        <h2>Call {number}</h2>
        <button type="button" disabled={newer === undefined} aria-label="Newer call" onClick={() => onOpen(newer!)}>
          ↑
        </button>
        <button type="button" disabled={older === undefined} aria-label="Older call" onClick={() => onOpen(older!)}>
          ↓
        </button>
        <button type="button" onClick={copyCurl}>
          Copy as curl
        </button>
        <button type="button" onClick={copyRule}>
          Copy as rule
        </button>
        <button type="button" class="close" aria-label="Close" onClick={onClose}>
          ×
        </button>
      </div>
      {problem !== undefined && <p class="empty">{problem}</p>}
      {call !== undefined && (
        <Tabs
          label="Parts of the call"
          tabs={TABS.map((name) => ({ name, title: TITLES[name] }))}
          shown={tab}
          onShow={show}
        >
          {tab === 'timeline' && <TimelineTab call={call} />}
          {tab === 'request' && <RequestTab call={call} />}
          {tab === 'response' && <ResponseTab call={call} />}
        </Tabs>
      )}
    </section>
  )
}

/** The details of a call, read again when it ends. The last call stays until the next one is there. */
function useCall(number: number): { readonly call?: CallDetails; readonly problem?: string } {
  const [state, setState] = useState<{ readonly call?: CallDetails; readonly problem?: string }>({})
  const outcome = calls.all.value && calls.find(number)?.outcome
  useEffect(() => {
    let isWanted = true
    const show = (next: typeof state) => isWanted && setState(next)
    api.read<CallDetails>(`/journal/${number}`).then(
      (call) => show({ call }),
      (error: Error) => show({ problem: error.message }),
    )
    return () => {
      isWanted = false
    }
  }, [number, outcome])
  return state
}
