/** The view of faults: the pending ones, a list of all to choose from, and beside it the form that injects the chosen one. */
import { signal } from '@preact/signals'
import { useState } from 'preact/hooks'
import { api } from '../app/control-api.ts'
import { useKeys } from '../app/keys.ts'
import { say } from '../app/messages.tsx'
import { act, status, useAct } from '../app/page-state.ts'
import { navigate, pathTo, route } from '../app/router.ts'
import { Button, CodeText, SearchField, Section } from '../parts/elements.tsx'
import { SplitPanes } from '../parts/split-panes.tsx'
import { FaultForm, FaultName, pathToFault } from './fault-form.tsx'
import { describeCalls, describeOptions, groupFaults, type KnownFault } from './fault-text.ts'

/** The faults that the mock knows, and the endpoints to which a fault can be confined. Kept while other views are shown. */
const known = signal({ faults: [] as readonly KnownFault[], endpoints: [] as readonly string[] })

export function FaultsView() {
  useAct(async () => {
    known.value = await api.read('/faults/catalogue')
  }, [])
  const { faults, endpoints } = known.value
  // `/_mock/faults/cut/17` is the form for `cut`, for calls like call 17.
  const [name, likeText = ''] = route.value.rest
  const like = /^[1-9]\d*$/.test(likeText) ? Number(likeText) : undefined
  const chosen = faults.find((fault) => fault.name === name)
  const [text, setText] = useState('')
  // Without a form, the browser clears the search field.
  useKeys(name === undefined ? {} : { Escape: () => navigate(pathTo('faults')) })
  const groups = groupFaults(faults, text)
  const list = (
    <Section class="fault-list" level="h2" title="Faults" isUntitled>
      <PendingFaults />
      <search>
        <SearchField
          aria-label="Find a fault"
          placeholder="Find a fault: 429, stream, tool call"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </search>
      {groups.map((group) => (
        <Section key={group.kind} title={group.title}>
          <ul>
            {group.faults.map((fault) => (
              <li key={fault.name}>
                <a class="fault" href={pathToFault(fault.name, like)} aria-current={fault.name === name}>
                  <FaultName {...fault} />
                  <span class="fault-summary">
                    <CodeText text={fault.text} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {groups.length === 0 && faults.length > 0 && (
        <p class="empty">
          No fault has these words. <Button text="Show all" onClick={() => setText('')} />
        </p>
      )}
    </Section>
  )
  const form = chosen && (
    <FaultForm key={`${chosen.name} ${like ?? ''}`} fault={chosen} endpoints={endpoints} like={like} />
  )
  return <SplitPanes list={list} chosen={form} />
}

/** The pending faults, and buttons to cancel them. The list empties as calls use them up. */
function PendingFaults() {
  const injected = status.value?.injected ?? []
  const cancel = (path: string, label: string): void =>
    act(async () => {
      await api.send('DELETE', path)
      say(`Cancelled ${label}.`)
    })
  return (
    <section class="pending" aria-labelledby="pending-title">
      <div class="pending-head">
        <h3 id="pending-title">Pending</h3>
        {injected.length > 1 && <Button text="Cancel all" onClick={() => cancel('/faults', 'all pending faults')} />}
      </div>
      {injected.length === 0 && <p class="hint">No fault is pending. Choose one, and the next calls get it.</p>}
      <ul aria-label="Pending faults">
        {injected.map((pending) => {
          const { id, fault } = pending
          const specs = known.value.faults.find(({ name }) => name === fault)?.options ?? {}
          const calls = describeCalls(pending)
          return (
            <li key={id}>
              <span>
                <code>{fault}</code> <span class="hint">{describeOptions(pending.options, specs)}</span>
                <span class="pending-calls"> {calls}</span>
              </span>
              <Button
                aria-label={`Cancel ${fault}, ${calls}`}
                text="Cancel"
                onClick={() => cancel(`/faults/${id}`, fault)}
              />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
