/** One call beside the list: its menus, its answer and the reason for it, and tabs with the details. */
import { useEffect, useRef } from 'preact/hooks'
import type { CallDetails } from '../../core/journal/call-details.ts'
import { useKeys } from '../app/keys.ts'
import { neighbourOf, openCall, useCall } from '../app/page-state.ts'
import { navigate, pathTo, route } from '../app/router.ts'
import { Button, IconButton, Menu, Paragraphs, Tabs } from '../parts/elements.tsx'
import { formatMs, formatOwner, statusKind } from '../parts/format.ts'
import { embedded } from '../report/embedded.ts'
import { RequestTab, ResponseTab } from './body-tabs.tsx'
import { listCopies, listNextCalls } from './call-menus.ts'
import { CompareTab } from './compare-tab.tsx'
import { readConversation } from './conversation.ts'
import { ConversationTab } from './conversation-tab.tsx'
import { describeTokens, explainAnswer, listNotes } from './describe-answer.ts'
import { TimelineTab } from './timeline-tab.tsx'

export function CallPanel({ number }: { number: number }) {
  const { call, problem } = useCall(number)
  const copies = call === undefined ? [] : listCopies(call)
  // The report in a file has no mock for a next call.
  const nextCalls = call === undefined || embedded !== undefined ? [] : listNextCalls(call)
  const newer = neighbourOf(number, -1)
  const older = neighbourOf(number, 1)
  const openNewer = () => openCall(newer)
  const openOlder = () => openCall(older)
  const close = () => navigate(pathTo('calls'))
  const keysOfMenus = [...copies, ...nextCalls].map(({ key = '', run }) => [key, run])
  useKeys({ Escape: close, j: openOlder, k: openNewer, ...Object.fromEntries(keysOfMenus) })
  return (
    <section class="call" aria-label={`Call ${number}`}>
      <div class="call-head">
        <Button class="back" text="← Calls" onClick={close} />
        <h2>Call {number}</h2>
        <span class="call-steps">
          <IconButton label="Newer call" disabled={newer === undefined} text="↑" onClick={openNewer} />
          <IconButton label="Older call" disabled={older === undefined} text="↓" onClick={openOlder} />
        </span>
        <span class="call-actions">
          {nextCalls.length > 0 && <Menu label="Next call" items={nextCalls} />}
          {copies.length > 0 && <Menu label="Copy" items={copies} />}
        </span>
        <IconButton class="plain close" label="Close" title="Close (Escape)" text="×" onClick={close} />
      </div>
      {problem !== undefined && <p class="empty">{problem}</p>}
      {call !== undefined && <CallContent call={call} />}
    </section>
  )
}

function CallContent({ call }: { call: CallDetails }) {
  // `/_mock/calls/17/compare/16` shows the tab Compare, with call 16.
  const [, chosen, other] = route.value.rest
  const tabs = [
    { name: 'timeline', title: 'Timeline', content: <TimelineTab call={call} /> },
    { name: 'request', title: 'Request', content: <RequestTab call={call} /> },
    { name: 'response', title: 'Response', content: <ResponseTab call={call} /> },
    { name: 'compare', title: 'Compare', content: <CompareTab call={call} other={other} /> },
  ]
  const conversation = readConversation(call)
  if (conversation !== undefined) {
    const content = <ConversationTab call={call} conversation={conversation} />
    tabs.unshift({ name: 'conversation', title: 'Conversation', content })
  }
  // Without a conversation, the body of an error says more than its timeline.
  const preferred = conversation === undefined && call.status >= 400 ? 'response' : tabs[0]!.name
  const shown = tabs.find(({ name }) => name === chosen) ?? tabs.find(({ name }) => name === preferred)!
  const show = (name: string) => navigate(pathTo('calls', call.number, name), { replace: true })
  const frame = useRef<HTMLDivElement>(null)
  // Another call or tab begins at its top.
  useEffect(() => frame.current?.querySelector('[role="tabpanel"]')?.scrollTo(0, 0), [call.number, shown.name])
  return (
    <div class="call-content" ref={frame}>
      <Summary call={call} />
      <Tabs label="Parts of the call" tabs={tabs} shown={shown.name} onShow={show}>
        {shown.content}
      </Tabs>
    </div>
  )
}

function Summary({ call }: { call: CallDetails }) {
  const { model, usage, outcome, durationMs, attempt, key, session, state } = call
  const { head, why } = explainAnswer(call)
  const facts = [
    model,
    describeTokens(call),
    usage?.usd !== undefined && `$${Number(usage.usd.toPrecision(4))}`,
    outcome === 'open' ? 'in progress' : formatMs(durationMs),
    formatOwner(key, session),
    state !== undefined && `state ${state}`,
    attempt > 1 && `attempt ${attempt}`,
  ]
  return (
    <div class="call-summary">
      <p class="why">
        <strong class={`status ${statusKind(call.status)}`}>{head}</strong>
        <span class="unseen">:</span>
        {` ${why}`}
      </p>
      <p class="call-facts">{facts.filter(Boolean).join(' · ')}</p>
      <Paragraphs class="note" texts={listNotes(call)} />
    </div>
  )
}
