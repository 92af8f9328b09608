/** The view of the calls: the list, and beside it or over it the call of the address. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from '../app/keys.tsx'
import { calls } from '../app/page-state.ts'
import { navigate, pathTo, route } from '../app/router.ts'
import { CallPanel } from '../call/call-panel.tsx'
import { formatCount } from '../parts/format.ts'
import { Split } from '../parts/split-panes.tsx'
import { embedded } from '../report/embedded.ts'
import { CallList } from './call-list.tsx'
import { findIndex } from './call-store.ts'
import { type Filter, NO_FILTER } from './list-filter.ts'

/** Opens a call; the tab that was open stays. */
function openCall(number: number): void {
  const [previous, tab] = route.peek().rest
  const path = tab === undefined || tab === 'compare' ? pathTo('calls', number) : pathTo('calls', number, tab)
  // Stepping through calls would fill the history.
  navigate(path, { replace: previous !== undefined })
}

/** The next older call for 1, the next newer for -1; as the list shows them. */
function neighbourOf(number: number, by: 1 | -1): number | undefined {
  const listed = calls.listed.value
  const index = calls.indexInList(number)
  if (index >= 0) return listed[index - by]?.number
  // A call that the filter hides has neighbours by number.
  const next = findIndex(calls.shown.value, number)
  return calls.shown.value[by === 1 ? next - 1 : next]?.number
}

export function CallsView(): JSX.Element {
  const number = Number(route.value.rest[0] ?? Number.NaN)
  const opened = Number.isInteger(number) ? number : undefined
  const close = () => navigate(pathTo('calls'))
  const step = (by: 1 | -1): void => {
    if (opened === undefined) return
    const next = neighbourOf(opened, by)
    if (next !== undefined) openCall(next)
  }
  useKeys(opened === undefined ? {} : { Escape: close, j: () => step(1), k: () => step(-1) })
  const list = (
    <section class="call-list" aria-labelledby="calls-title">
      <h2 id="calls-title" class="unseen">
        Calls
      </h2>
      <FilterForm />
      <CallList opened={opened} onOpen={openCall} />
    </section>
  )
  const detail =
    opened === undefined ? undefined : (
      <CallPanel
        number={opened}
        newer={neighbourOf(opened, -1)}
        older={neighbourOf(opened, 1)}
        onOpen={openCall}
        onClose={close}
      />
    )
  return <Split label="Width of the list" first={list} second={detail} />
}

const LISTS = [
  ['status', 'Status'],
  ['endpoint', 'Endpoint'],
  ['key', 'Key'],
  ['cause', 'Failure'],
] as const

export function clearFilter(): void {
  calls.filter.value = NO_FILTER
}

function change(field: keyof Filter, value: string): void {
  const next = { ...calls.filter.value, [field]: value }
  calls.filter.value = Object.values(next).every((one) => one === '') ? NO_FILTER : next
}

export function FilterForm(): JSX.Element {
  const text = useRef<HTMLInputElement>(null)
  const filter = calls.filter.value
  useKeys({ '/': () => text.current!.focus() })
  return (
    <search>
      <form
        class="filters"
        aria-label="Calls"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          clearFilter()
          document.getElementById('call-rows')?.focus()
        }}
      >
        <input
          ref={text}
          type="search"
          class="filter-text"
          aria-label="Text"
          placeholder="Filter: words, or >2s  ( / )"
          title="Words of a call, or its duration: >2s, <300ms"
          spellcheck={false}
          autocomplete="off"
          value={filter.text}
          onInput={({ currentTarget }) => change('text', currentTarget.value)}
        />
        {LISTS.map(([field, label]) => (
          <select
            key={field}
            aria-label={label}
            class={filter[field] === '' ? '' : 'chosen'}
            value={filter[field]}
            onChange={({ currentTarget }) => change(field, currentTarget.value)}
          >
            <option value="">{label}</option>
            {choicesOf(field, filter[field]).map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        ))}
        <Count />
      </form>
    </search>
  )
}

/** The values that calls have so far. The chosen one stays, even if no call has it after a reset. */
function choicesOf(field: (typeof LISTS)[number][0], chosen: string): readonly string[] {
  // Read, so that the lists follow the calls.
  calls.all.value
  const known = calls.choicesOf(field)
  return chosen === '' || known.includes(chosen) ? known : [chosen, ...known]
}

const WHY_MISSED =
  embedded === undefined
    ? 'They came too fast to be sent to the page.'
    : 'They are not in this file, to limit its size.'

function Count(): JSX.Element {
  const all = calls.all.value.length
  const shown = calls.shown.value.length
  const missed = calls.missed.value
  return (
    <p class="count" role="status">
      {shown === all ? formatCount(all, 'call') : `${shown.toLocaleString('en')} of ${formatCount(all, 'call')}`}
      {missed > 0 && <span title={WHY_MISSED}> · {formatCount(missed, 'call')} not shown</span>}
      {calls.filter.value !== NO_FILTER && (
        <button type="button" class="plain" onClick={clearFilter}>
          Clear filter
        </button>
      )}
    </p>
  )
}
