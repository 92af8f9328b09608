/** One call: what it was answered and why, and tabs for all about it. */
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { useKeys } from '../app/keys.tsx'
import { navigate, pathTo, route } from '../app/router.ts'
import { statusKind } from '../calls/call-row.tsx'
import { formatCount, formatMs } from '../parts/format.ts'
import { Menu } from '../parts/menu.tsx'
import { Tabs } from '../parts/tabs.tsx'
import { embedded } from '../report/embedded.ts'
import { RequestTab, ResponseTab } from './body-tabs.tsx'
import { copyActions, nextActions } from './call-actions.ts'
import { CompareTab } from './compare-tab.tsx'
import { readConversation } from './conversation.ts'
import { ConversationTab } from './conversation-tab.tsx'
import { describeAnswer } from './describe-answer.ts'
import { TimelineTab } from './timeline-tab.tsx'
import { useCall } from './use-call.ts'

interface Props {
  readonly number: number
  readonly newer: number | undefined
  readonly older: number | undefined
  readonly onOpen: (number: number) => void
  readonly onClose: () => void
}

export function CallPanel({ number, newer, older, onOpen, onClose }: Props): JSX.Element {
  const { call, problem } = useCall(number)
  const actions = call === undefined ? [] : copyActions(call)
  const next = call === undefined || embedded !== undefined ? [] : nextActions(call)
  const keys = [...actions, ...next].flatMap(({ key, run }) => (key === undefined ? [] : [[key, run] as const]))
  useKeys(Object.fromEntries(keys))
  return (
    <section class="call" aria-label={`Call ${number}`}>
      <div class="call-head">
        <button type="button" class="back" onClick={onClose}>
          ← Calls
        </button>
        <h2>Call {number}</h2>
        <span class="call-steps">
          <Step label="Newer call" mark="↑" number={newer} onOpen={onOpen} />
          <Step label="Older call" mark="↓" number={older} onOpen={onOpen} />
        </span>
        <span class="call-actions">
          {next.length > 0 && <Menu label="Next call" items={next} />}
          {actions.length > 0 && <Menu label="Copy" items={actions} />}
        </span>
        <button type="button" class="plain close" aria-label="Close" title="Close (Escape)" onClick={onClose}>
          ×
        </button>
      </div>
      {problem !== undefined && <p class="empty">{problem}</p>}
      {call !== undefined && <CallContent call={call} />}
    </section>
  )
}

interface StepProps {
  readonly label: string
  readonly mark: string
  readonly number: number | undefined
  readonly onOpen: (number: number) => void
}

function Step({ label, mark, number, onOpen }: StepProps): JSX.Element {
  return (
    <button
      type="button"
      class="plain"
      disabled={number === undefined}
      aria-label={label}
      title={label}
      onClick={() => number !== undefined && onOpen(number)}
    >
      {mark}
    </button>
  )
}

function CallContent({ call }: { call: CallDetails }): JSX.Element {
  const conversation = readConversation(call)
  const tabs = [
    ...(conversation === undefined ? [] : [{ name: 'conversation', title: 'Conversation' }]),
    { name: 'timeline', title: 'Timeline' },
    { name: 'request', title: 'Request' },
    { name: 'response', title: 'Response' },
    { name: 'compare', title: 'Compare' },
  ]
  const [, chosen, other] = route.value.rest
  const isRefused = conversation === undefined && call.status >= 400
  const first = isRefused ? 'response' : tabs[0]!.name
  const indexOf = (wanted: string | undefined) => tabs.findIndex(({ name }) => name === wanted)
  const index = indexOf(chosen) < 0 ? indexOf(first) : indexOf(chosen)
  const shown = tabs[index]!.name
  const show = (name: string) => navigate(pathTo('calls', call.number, name), { replace: true })
  const stepTab = (by: number) => show(tabs[(index + by + tabs.length) % tabs.length]!.name)
  useKeys({ '[': () => stepTab(-1), ']': () => stepTab(1) })
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector('[role="tabpanel"]')?.scrollTo(0, 0), [call.number, shown])
  return (
    <div class="call-content" ref={panel}>
      <Summary call={call} />
      <Tabs label="Parts of the call" tabs={tabs} shown={shown} onShow={show}>
        {shown === 'conversation' && conversation !== undefined && (
          <ConversationTab call={call} conversation={conversation} />
        )}
        {shown === 'timeline' && <TimelineTab call={call} />}
        {shown === 'request' && <RequestTab call={call} />}
        {shown === 'response' && <ResponseTab call={call} />}
        {shown === 'compare' && <CompareTab call={call} other={other === undefined ? undefined : Number(other)} />}
      </Tabs>
    </div>
  )
}

function Summary({ call }: { call: CallDetails }): JSX.Element {
  const { notes, nearMiss } = call
  const [head, ...why] = describeAnswer(call).split(': ')
  return (
    <div class="call-summary">
      <p class="why">
        <strong class={`status ${statusKind(call.status)}`}>{head}</strong>
        {': '}
        {why.join(': ')}
      </p>
      <p class="call-facts">{factsOf(call).join(' · ')}</p>
      {notes.map((note) => (
        <p key={note} class="note">
          {note}
        </p>
      ))}
      {nearMiss !== undefined && <p class="note">{nearMiss.text}</p>}
    </div>
  )
}

function factsOf({ model, usage, cache, outcome, durationMs, attempt, key, session, state }: CallDetails): string[] {
  const cached = cache === undefined ? '' : ` (${cache.cachedTokens} cached)`
  return [
    model,
    ...(usage === undefined
      ? []
      : [
          `${formatCount(usage.promptTokens, 'token')}${cached} in, ${usage.completionTokens.toLocaleString('en')} out`,
        ]),
    ...(usage?.usd === undefined ? [] : [`$${Number(usage.usd.toPrecision(4))}`]),
    outcome === 'open' ? 'in progress' : formatMs(durationMs),
    key === '' ? 'no key' : key,
    ...(session === undefined ? [] : [`session ${session}`]),
    ...(state === undefined ? [] : [`state ${state}`]),
    ...(attempt > 1 ? [`attempt ${attempt}`] : []),
  ].filter((fact) => fact !== '')
}
