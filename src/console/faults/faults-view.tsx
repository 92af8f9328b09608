/** The view of faults: the pending ones, a list to choose from, and beside it the form that injects the chosen one. */
import { signal, useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { InjectedFault } from '../../engine/injection.ts'
import { useKeys } from '../app/keys.tsx'
import { say } from '../app/notices.tsx'
import { act, api, connections, status } from '../app/page-state.ts'
import { navigate, pathTo, route } from '../app/router.ts'
import { CodeText } from '../parts/code-text.tsx'
import { Split } from '../parts/split-panes.tsx'
import { FaultForm, FaultName, pathToFault } from './fault-form.tsx'
import type { CatalogueFault } from './fault-text.ts'
import { describeCalls, describeOptions, type FaultGroup, groupFaults, splitSummary } from './fault-text.ts'

export function FaultsView(): JSX.Element {
  const { faults, endpoints } = useCatalogue()
  const [name, likeText] = route.value.rest
  const like = /^[1-9]\d*$/.test(likeText ?? '') ? Number(likeText) : undefined
  const chosen = faults.find((fault) => fault.name === name)
  const text = useSignal('')
  const search = useRef<HTMLInputElement>(null)
  useKeys({
    '/': () => search.current?.focus(),
    Escape: () => {
      if (text.value !== '') text.value = ''
      else if (name !== undefined) navigate(pathTo('faults'))
    },
  })
  const groups = groupFaults(faults, text.value)
  const list = (
    <section class="fault-list" aria-labelledby="faults-title">
      <h2 id="faults-title" class="unseen">
        Faults
      </h2>
      <PendingFaults />
      <search>
        <input
          ref={search}
          type="search"
          aria-label="Find a fault"
          placeholder="Find a fault: 429, stream, tool call"
          autocomplete="off"
          spellcheck={false}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
          }}
        />
      </search>
      {groups.map((group) => (
        <Group key={group.kind} group={group} chosen={name} like={like} />
      ))}
      {groups.length === 0 && faults.length > 0 && (
        <p class="empty">
          No fault has these words.{' '}
          <button
            type="button"
            onClick={() => {
              text.value = ''
            }}
          >
            Show all
          </button>
        </p>
      )}
    </section>
  )
  const form =
    chosen === undefined ? undefined : (
      <FaultForm key={`${chosen.name} ${like ?? ''}`} fault={chosen} endpoints={endpoints} like={like} />
    )
  return <Split label="Width of the list" first={list} second={form} />
}

function Group({
  group: { kind, title, faults },
  chosen,
  like,
}: {
  group: FaultGroup
  chosen: string | undefined
  like: number | undefined
}): JSX.Element {
  return (
    <section aria-labelledby={`faults-${kind}`}>
      <h3 id={`faults-${kind}`}>{title}</h3>
      <ul>
        {faults.map(({ name, summary }) => (
          <li key={name}>
            <a href={pathToFault(name, like)} class="fault" {...(name === chosen && { 'aria-current': 'true' })}>
              <FaultName name={name} status={splitSummary(summary).status} />
              <span class="fault-summary">
                <CodeText text={splitSummary(summary).text} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

interface Catalogue {
  readonly faults: readonly CatalogueFault[]
  /** The endpoints that a fault can be confined to. */
  readonly endpoints: readonly string[]
}

/** Empty until `useCatalogue` has loaded it. */
export const catalogue = signal<Catalogue>({ faults: [], endpoints: [] })

export function useCatalogue(): Catalogue {
  useEffect(
    () =>
      act(async () => {
        catalogue.value = await api.read<Catalogue>('/faults/catalogue')
      }),
    [connections.value],
  )
  return catalogue.value
}

/** A mock may have a thousand. */
const MAX_SHOWN = 50

export function PendingFaults(): JSX.Element {
  const injected = status.value?.injected ?? []
  return (
    <section class="pending" aria-labelledby="pending-title">
      <div class="pending-head">
        <h3 id="pending-title">Pending</h3>
        {injected.length > 1 && (
          <button type="button" onClick={() => act(cancelAll)}>
            Cancel all
          </button>
        )}
      </div>
      {injected.length === 0 ? (
        <p class="hint">No fault is pending. Choose one, and the next calls get it.</p>
      ) : (
        <ul aria-label="Pending faults">
          {injected.slice(0, MAX_SHOWN).map((fault) => (
            <PendingFault key={fault.id} fault={fault} />
          ))}
        </ul>
      )}
      {injected.length > MAX_SHOWN && <p class="hint">and {injected.length - MAX_SHOWN} more</p>}
    </section>
  )
}

function PendingFault({ fault }: { fault: InjectedFault }): JSX.Element {
  const options = describeOptions(
    fault.options,
    catalogue.value.faults.find(({ name }) => name === fault.fault)?.options ?? {},
  )
  return (
    <li>
      <span>
        <code>{fault.fault}</code>
        {options !== '' && <span class="hint"> {options}</span>}
        <span class="pending-calls"> {describeCalls(fault)}</span>
      </span>
      <button
        type="button"
        aria-label={`Cancel ${fault.fault}, ${describeCalls(fault)}`}
        onClick={() => act(() => cancel(fault))}
      >
        Cancel
      </button>
    </li>
  )
}

async function cancel({ id, fault }: InjectedFault): Promise<void> {
  await api.send('DELETE', `/faults/${id}`)
  say(`Cancelled ${fault}.`)
}

async function cancelAll(): Promise<void> {
  await api.send('DELETE', '/faults')
  say('Cancelled all pending faults.')
}
