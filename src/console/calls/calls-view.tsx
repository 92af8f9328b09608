/** The view of the calls: the list with its filter, and beside it or over it the call of the address. */
import { useKeys } from '../app/keys.ts'
import { calls } from '../app/page-state.ts'
import { navigate, pathTo, route } from '../app/router.ts'
import { CallPanel } from '../call/call-panel.tsx'
import { Button, SearchField } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { SplitPanes } from '../parts/split-panes.tsx'
import { embedded } from '../report/embedded.ts'
import { CallList } from './call-list.tsx'
import { findIndex } from './call-store.ts'
import { type ListFilter, NO_FILTER } from './list-filter.ts'

export function CallsView() {
  const number = Number(route.value.rest[0] ?? Number.NaN)
  const opened = Number.isInteger(number) ? number : undefined
  const newer = opened === undefined ? undefined : neighbourOf(opened, -1)
  const older = opened === undefined ? undefined : neighbourOf(opened, 1)
  const close = () => navigate(pathTo('calls'))
  const open = (next: number | undefined): void => {
    if (next !== undefined) openCall(next)
  }
  useKeys(opened === undefined ? {} : { Escape: close, j: () => open(older), k: () => open(newer) })
  const list = (
    <section class="call-list" aria-labelledby="calls-title">
      <h2 id="calls-title" class="unseen">
        Calls
      </h2>
      <FilterForm />
      <CallList opened={opened} onOpen={openCall} />
    </section>
  )
  const panel =
    opened === undefined ? undefined : (
      <CallPanel number={opened} newer={newer} older={older} onOpen={openCall} onClose={close} />
    )
  return <SplitPanes label="Width of the list" first={list} second={panel} />
}

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

const LISTS = [
  ['status', 'Status'],
  ['endpoint', 'Endpoint'],
  ['key', 'Key'],
  ['cause', 'Failure'],
] as const

const WHY_MISSED =
  embedded === undefined
    ? 'They came too fast to be sent to the page.'
    : 'They are not in this file, to limit its size.'

/** The filter, and how many calls it shows. */
function FilterForm() {
  const filter = calls.filter.value
  const all = calls.all.value.length
  const shown = calls.shown.value.length
  const missed = calls.missed.value
  const change = (field: keyof ListFilter, value: string): void => {
    const next = { ...filter, [field]: value }
    calls.filter.value = Object.values(next).every((one) => one === '') ? NO_FILTER : next
  }
  return (
    <search>
      <form
        class="filters"
        aria-label="Calls"
        onSubmit={(event) => event.preventDefault()}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.stopPropagation()
          calls.clearFilter()
          document.getElementById('call-rows')?.focus()
        }}
      >
        <SearchField
          class="filter-text"
          aria-label="Text"
          placeholder="Filter: words, or >2s  ( / )"
          title="Words of a call, or its duration: >2s, <300ms"
          value={filter.text}
          onInput={(text) => change('text', text)}
        />
        {LISTS.map(([field, label]) => {
          const chosen = filter[field]
          const known = calls.choicesOf(field)
          return (
            <select
              key={field}
              aria-label={label}
              class={chosen === '' ? '' : 'chosen'}
              value={chosen}
              onChange={({ currentTarget }) => change(field, currentTarget.value)}
            >
              <option value="">{label}</option>
              {/* The chosen value stays, even if no call has it after a reset. */}
              {(chosen === '' || known.includes(chosen) ? known : [chosen, ...known]).map((value) => (
                <option key={value}>{value}</option>
              ))}
            </select>
          )
        })}
        <p class="count" role="status">
          {shown === all ? formatCount(all, 'call') : `${shown.toLocaleString('en')} of ${formatCount(all, 'call')}`}
          {missed > 0 && <span title={WHY_MISSED}> · {formatCount(missed, 'call')} not shown</span>}
          {filter !== NO_FILTER && <Button class="plain" text="Clear filter" onClick={() => calls.clearFilter()} />}
        </p>
      </form>
    </search>
  )
}
