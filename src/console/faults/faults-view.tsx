/** The view of faults: the pending ones, a list to choose from, and beside it the form that injects the chosen one. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from '../app/keys.tsx'
import { navigate, pathTo, route } from '../app/router.ts'
import { CodeText } from '../parts/code-text.tsx'
import { Split } from '../parts/split.tsx'
import { useCatalogue } from './catalogue.ts'
import { FaultForm } from './fault-form.tsx'
import { type FaultGroup, groupFaults, splitSummary } from './fault-groups.ts'
import { FaultName, pathToFault } from './fault-name.tsx'
import { PendingFaults } from './pending-faults.tsx'

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
