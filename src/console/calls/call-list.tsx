/** The list of calls, newest first. Only the visible rows are drawn, and new calls do not move what is being read. */

import type { JSX } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CallSummary } from '../../core/journal/call-details.ts'
import { useKeys } from '../app/keys.ts'
import { calls, clock, connection, openCall } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { Button } from '../parts/elements.tsx'
import { formatCount, statusKind } from '../parts/format.ts'
import { embedded } from '../report/embedded.ts'
import { TryForm } from '../try/try-view.tsx'
import { chooseColumns, columnHints, columnTexts, gridTemplate } from './columns.ts'
import { NO_FILTER } from './list-filter.ts'
import { maxRows, ROW_HEIGHT, scrollToRow, useSize, useStillRows, visibleRows } from './list-rows.ts'

export function CallList({ opened }: { opened: number | undefined }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
  const [scrollTop, setScrollTop] = useState(0)
  /** The row that the keyboard is at, by the number of its call. */
  const [current, setCurrent] = useState<number>()
  const shown = calls.listed.value
  const isBySlowest = calls.isBySlowest.value
  const count = shown.length
  const unseen = useStillRows(scroller, shown, current ?? opened, scrollTop < ROW_HEIGHT)

  const indexOf = (number: number): number => {
    const index = calls.indexInList(number)
    return index < 0 ? -1 : count - 1 - index
  }
  const reveal = (index: number): void => {
    const list = scroller.current!
    list.scrollTop = scrollToRow(index, list.scrollTop, list.clientHeight - ROW_HEIGHT)
  }
  const select = (index: number): void => {
    const call = shown[count - 1 - index]
    if (call === undefined) return
    setCurrent(call.number)
    reveal(index)
    if (opened !== undefined) openCall(call.number)
  }
  const step = (by: number): void => {
    const from = current ?? opened
    const at = from === undefined ? -1 : indexOf(from)
    select(at < 0 ? 0 : Math.min(count - 1, Math.max(0, at + by)))
    scroller.current!.focus({ preventScroll: true })
  }
  const toTop = (): void => scroller.current!.scrollTo(0, 0)
  const page = Math.max(1, Math.floor(height / ROW_HEIGHT) - 2)
  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => step(1),
    ArrowUp: () => step(-1),
    PageDown: () => step(page),
    PageUp: () => step(-page),
    Home: () => select(0),
    End: () => select(count - 1),
    Enter: () => current !== undefined && openCall(current),
  }
  useKeys(opened === undefined ? { j: () => step(1), k: () => step(-1), Enter: keys.Enter! } : {})

  // A call that is opened by its address or by a key comes into view.
  useLayoutEffect(() => {
    if (opened === undefined) return
    setCurrent(opened)
    const index = indexOf(opened)
    if (index >= 0) reveal(index)
  }, [opened, height > 0])

  const columns = chooseColumns(width)
  const { first, end } = visibleRows(scrollTop, height, count)
  const pool = maxRows(height)
  const rows = shown.slice(count - end, count - first).reverse()
  const isDrawn = current !== undefined && rows.some(({ number }) => number === current)
  return (
    <div class="list-frame" style={{ '--columns': gridTemplate(columns) }}>
      <div
        id="call-rows"
        class="rows"
        role="grid"
        aria-label={isBySlowest ? 'Calls, slowest first' : 'Calls, newest first'}
        aria-rowcount={count + 1}
        aria-colcount={columns.length}
        {...(isDrawn && { 'aria-activedescendant': `call-${current}` })}
        tabIndex={0}
        ref={scroller}
        onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
        onKeyDown={(event) => {
          const run = keys[event.key]
          if (run === undefined || event.ctrlKey || event.metaKey || event.altKey) return
          // Enter presses the button of a column's header.
          if (event.key === 'Enter' && event.target instanceof HTMLButtonElement) return
          event.preventDefault()
          event.stopPropagation()
          run()
        }}
      >
        <ListHead columns={columns} onSort={toTop} />
        <div class="row-space" role="presentation" style={{ height: `${count * ROW_HEIGHT}px` }}>
          {rows.map((call, index) => (
            <CallRow
              // Elements are used again while scrolling, and stay with their call when calls are added.
              key={(count - 1 - first - index) % pool}
              call={call}
              columns={columns}
              index={first + index}
              isOpen={call.number === opened}
              isCurrent={call.number === current}
            />
          ))}
        </div>
      </div>
      {count === 0 && <EmptyList />}
      {unseen > 0 && <Button class="new-calls" text={`↑ ${formatCount(unseen, 'new call')}`} onClick={toTop} />}
    </div>
  )
}

interface ListHeadProps {
  readonly columns: ReturnType<typeof chooseColumns>
  readonly onSort: () => void
}

/** The titles of the columns. That of the durations sorts the list. */
function ListHead({ columns, onSort }: ListHeadProps) {
  const isBySlowest = calls.isBySlowest.value
  const sort = (): void => {
    calls.isBySlowest.value = !isBySlowest
    onSort()
  }
  const hint = isBySlowest ? 'Show the newest calls first' : 'Show the slowest calls first'
  return (
    <div class="row-head" role="row" aria-rowindex={1}>
      {columns.map(({ name, title, isNumber }) =>
        name === 'duration' ? (
          <span key={name} role="columnheader" class="number" aria-sort={isBySlowest ? 'descending' : 'none'}>
            <Button class="sort" title={hint} text={isBySlowest ? `${title} ↓` : title} onClick={sort} />
          </span>
        ) : (
          <span key={name} role="columnheader" class={isNumber ? 'number' : ''}>
            {title}
          </span>
        ),
      )}
    </div>
  )
}

/** The text in place of an empty list. Before the first call it has a form to try one. */
function EmptyList() {
  if (calls.all.value.length > 0) {
    if (calls.filter.value === NO_FILTER) return null
    return (
      <div class="empty">
        <p>No call matches the filter.</p>
        <Button class="main" text="Clear filter" onClick={() => calls.clearFilter()} />
      </div>
    )
  }
  if (embedded !== undefined) return <p class="empty">The run made no calls.</p>
  if (connection.value === 'connecting') return null
  return (
    <div class="empty">
      <p>
        No calls yet. Point a client at <code>{location.origin}/v1</code>, and they appear here. Or send one:
      </p>
      <TryForm />
    </div>
  )
}

interface RowProps {
  readonly call: CallSummary
  readonly columns: ReturnType<typeof chooseColumns>
  /** Its place in the list, from 0. */
  readonly index: number
  readonly isOpen: boolean
  readonly isCurrent: boolean
}

export function CallRow({ call, columns, index, isOpen, isCurrent }: RowProps) {
  const texts = columnTexts(call, clock.value)
  const hints = columnHints(call)
  const contents: Partial<Record<string, JSX.Element>> = {
    status: <StatusBadge {...call} />,
    number: (
      <a href={pathTo('calls', call.number)} tabIndex={-1} aria-label={`Call ${call.number}`}>
        {texts.number}
      </a>
    ),
  }
  return (
    <div
      id={`call-${call.number}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      class={`call-row${isOpen ? ' open' : ''}${isCurrent ? ' current' : ''}`}
      style={{ transform: `translateY(${index * ROW_HEIGHT}px)` }}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openCall(call.number)
      }}
    >
      {columns.map(({ name, isNumber }) => (
        <span
          key={name}
          role="gridcell"
          class={`cell-${name}${isNumber ? ' number' : ''}`}
          title={hints[name] ?? texts[name]}
        >
          {contents[name] ?? texts[name]}
        </span>
      ))}
    </div>
  )
}

/** The endings of calls that did not end normally, as a word and for the pointer. */
const ENDINGS = {
  open: ['open', 'in progress'],
  cut: ['cut', 'the mock cut it'],
  'client-left': ['left', 'the client left'],
} as const

/** The status of a call as a coloured badge, and how the call ended if not normally. */
function StatusBadge({ status, outcome }: Pick<CallSummary, 'status' | 'outcome'>) {
  const [ending, meaning] = outcome === 'complete' ? [] : ENDINGS[outcome]
  return (
    <>
      {/* A call in progress may have no status yet. */}
      {(status !== 0 || outcome !== 'open') && (
        <span class={`status ${statusKind(status)}`}>{status === 0 ? 'none' : status}</span>
      )}
      {ending !== undefined && (
        <span class="ending" title={meaning}>
          {ending}
        </span>
      )}
    </>
  )
}
