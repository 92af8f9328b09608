/** The view of the calls: the list with its filter, and beside it or over it the call of the address. */
import { onKeys } from '../app/keys.ts'
import { calls, now } from '../app/page-state.ts'
import { route } from '../app/router.ts'
import { CallPanel } from '../call/call-panel.tsx'
import { Button, SearchField, Select } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { SplitPanes } from '../parts/split-panes.tsx'
import { embedded } from '../report/embedded.ts'
import { CallList } from './call-list.tsx'
import { type ListFilter, NO_FILTER } from './list-filter.ts'

export function CallsView() {
  const number = Number(route.value.rest[0] ?? Number.NaN)
  const opened = Number.isInteger(number) ? number : undefined
  const list = (
    <section class="call-list" aria-labelledby="calls-title">
      <h2 id="calls-title" class="unseen">
        Calls
      </h2>
      <FilterForm />
      <CallList opened={opened} />
    </section>
  )
  return <SplitPanes list={list} chosen={opened !== undefined && <CallPanel number={opened} />} />
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
  const { kept = 0, total = 0 } = now.value?.journal ?? {}
  return (
    <search>
      <form
        class="filters"
        aria-label="Calls"
        onSubmit={(event) => event.preventDefault()}
        onInput={({ currentTarget }) => {
          const fields = Object.fromEntries(new FormData(currentTarget)) as Record<keyof ListFilter, string>
          calls.filter.value = Object.values(fields).every((one) => one === '') ? NO_FILTER : fields
        }}
        onKeyDown={onKeys({
          Escape: () => {
            calls.clearFilter()
            document.getElementById('call-rows')?.focus()
          },
        })}
      >
        <SearchField
          class="filter-text"
          name="text"
          aria-label="Text"
          placeholder="Filter: words, or >2s  ( / )"
          title="Words of a call, or its duration: >2s, <300ms"
          value={filter.text}
        />
        {LISTS.map(([field, label]) => {
          const chosen = filter[field]
          const known = calls.choices.value[field]
          return (
            <Select
              key={field}
              name={field}
              aria-label={label}
              class={chosen === '' ? '' : 'chosen'}
              value={chosen}
              empty={label}
              // The chosen value stays, even if no call has it after a reset.
              options={chosen === '' || known.includes(chosen) ? known : [chosen, ...known]}
            />
          )
        })}
        <p class="count" role="status">
          {shown === all ? formatCount(all, 'call') : `${shown.toLocaleString('en')} of ${formatCount(all, 'call')}`}
          {missed > 0 && <span title={WHY_MISSED}> · {formatCount(missed, 'call')} not shown</span>}
          {kept < total && (
            <span title="The journal keeps the newest: see --journal.">
              {' '}
              · {kept.toLocaleString('en')} of {formatCount(total, 'call')} kept
            </span>
          )}
          {filter !== NO_FILTER && <Button class="plain" text="Clear filter" onClick={() => calls.clearFilter()} />}
        </p>
      </form>
    </search>
  )
}
