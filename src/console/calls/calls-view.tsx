/** The view of the calls: the list with its filter, and beside it or over it the call of the address. */
import { onKeys } from '../app/keys.ts'
import { calls, now } from '../app/page-state.ts'
import { route } from '../app/router.ts'
import { CallPanel } from '../call/call-panel.tsx'
import { Button, SearchField, Section, Select } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { SplitPanes } from '../parts/split-panes.tsx'
import { embedded } from '../report/embedded.ts'
import { CallList } from './call-list.tsx'
import { isEmpty, type ListFilter, NO_FILTER } from './list-filter.ts'

export function CallsView() {
  // `/_mock/calls/17` opens call 17; without a number, the list has all of the width.
  const number = Number(route.value.rest[0])
  const opened = Number.isInteger(number) ? number : undefined
  const list = (
    <Section class="call-list" level="h2" title="Calls" isUntitled>
      <FilterForm />
      <CallList opened={opened} />
    </Section>
  )
  return <SplitPanes list={list} chosen={opened !== undefined && <CallPanel number={opened} />} />
}

/** The lists of the filter, with their labels. The choices are the values that occur among the calls. */
const LISTS = [
  ['status', 'Status'],
  ['endpoint', 'Endpoint'],
  ['key', 'Key'],
  ['cause', 'Failure'],
] as const

/** The filter of the list, which applies while the user types, and the number of calls that pass it. */
function FilterForm() {
  const filter = calls.filter.value
  return (
    <search>
      <form
        class="filters"
        aria-label="Calls"
        onSubmit={(event) => event.preventDefault()}
        onInput={({ currentTarget }) => {
          calls.filter.value = Object.fromEntries(new FormData(currentTarget)) as ListFilter
        }}
        onKeyDown={onKeys({
          Escape: () => {
            calls.filter.value = NO_FILTER
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
        <CallCount />
      </form>
    </search>
  )
}

/** `12 of 340 calls · 5 calls not shown · 340 of 1,000 calls kept`, with a button that clears the filter. */
function CallCount() {
  const all = calls.all.value.length
  const shown = calls.shown.value.length
  const missed = calls.missed.value
  const whyMissed = embedded === undefined ? 'They came too fast to be sent.' : 'The size of this file is limited.'
  const { kept = 0, total = 0 } = now.value?.journal ?? {}
  return (
    <p class="count" role="status">
      {shown === all ? formatCount(all, 'call') : `${shown.toLocaleString('en')} of ${formatCount(all, 'call')}`}
      {missed > 0 && <span title={whyMissed}> · {formatCount(missed, 'call')} not shown</span>}
      {kept < total && (
        <span title="The journal keeps the newest: see --journal.">
          {' '}
          · {kept.toLocaleString('en')} of {formatCount(total, 'call')} kept
        </span>
      )}
      {!isEmpty(calls.filter.value) && (
        <Button class="plain" text="Clear filter" onClick={() => (calls.filter.value = NO_FILTER)} />
      )}
    </p>
  )
}
