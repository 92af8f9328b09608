/** The view of the calls: the list, and beside it or over it the call of the address. */
import type { JSX } from 'preact'
import { useKeys } from '../app/keys.tsx'
import { navigate, pathTo, route } from '../app/router.ts'
import { calls } from '../app/store.ts'
import { CallPanel } from '../call/call-panel.tsx'
import { Split } from '../parts/split.tsx'
import { CallList } from './call-list.tsx'
import { findIndex } from './call-store.ts'
import { FilterForm } from './filter-form.tsx'

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
