/**
 * The view of faults: the pending ones and a list of all, and beside it the form that injects the chosen one. The address
 * `/_mock/faults/cut/17` chooses the fault `cut`, for calls like call 17.
 */
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
  const [chosenName, likeText = ''] = route.value.rest
  const like = /^[1-9]\d*$/.test(likeText) ? Number(likeText) : undefined
  const { faults, endpoints } = known.value
  const chosen = faults.find(({ name }) => name === chosenName)
  // Escape closes the form. Without a form it is left to the browser, which clears the search field.
  useKeys(chosenName === undefined ? {} : { Escape: () => navigate(pathTo('faults')) })
  const list = (
    <Section class="fault-list" level="h2" title="Faults" isUntitled>
      <PendingFaults />
      <FaultList chosenName={chosenName} like={like} />
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
  const cancel = (path: string, cancelled: string): void =>
    act(async () => {
      await api.send('DELETE', path)
      say(`Cancelled ${cancelled}.`)
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
          const { id, fault, options } = pending
          const specs = known.value.faults.find(({ name }) => name === fault)?.options ?? {}
          const calls = describeCalls(pending)
          return (
            <li key={id}>
              <span>
                <code>{fault}</code> <span class="hint">{describeOptions(options, specs)}</span>
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

/** A search field, and the faults that it finds, by kind. Each is a link to its form. */
function FaultList({ chosenName, like }: { chosenName: string | undefined; like: number | undefined }) {
  const { faults } = known.value
  const [searched, setSearched] = useState('')
  const groups = groupFaults(faults, searched)
  return (
    <>
      <search>
        <SearchField
          aria-label="Find a fault"
          placeholder="Find a fault: 429, stream, tool call"
          value={searched}
          onInput={({ currentTarget }) => setSearched(currentTarget.value)}
        />
      </search>
      {groups.map((group) => (
        <Section key={group.kind} title={group.title}>
          <ul>
            {group.faults.map(({ name, status, text }) => (
              <li key={name}>
                <a class="fault" href={pathToFault(name, like)} aria-current={name === chosenName}>
                  <FaultName name={name} status={status} />
                  <span class="fault-summary">
                    <CodeText text={text} />
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </Section>
      ))}
      {groups.length === 0 && faults.length > 0 && (
        <p class="empty">
          No fault has these words. <Button text="Show all" onClick={() => setSearched('')} />
        </p>
      )}
    </>
  )
}
