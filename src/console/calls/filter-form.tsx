/** The filter of the list of calls, and how many calls it shows. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { useKeys } from '../app/keys.tsx'
import { calls } from '../app/store.ts'
import { formatCount } from '../parts/format.ts'
import { embedded } from '../report/embedded.ts'
import { type Filter, NO_FILTER } from './call-filter.ts'

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
