/**
 * The list of calls, newest first: a grid with a row for each call. Only the visible rows are drawn, and new calls do not
 * move what is being read (list-rows.ts). The keyboard moves a cursor from row to row.
 */
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { CallSummary } from '../../core/journal/call-details.ts'
import { onKeys, useKeys } from '../app/keys.ts'
import { calls, clock, connection, neighbourOf, openCall } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { Button, StatusBadge } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { useSize } from '../parts/use-size.ts'
import { embedded } from '../report/embedded.ts'
import { TryForm } from '../try/try-form.tsx'
import { chooseColumns, gridTemplate, type ListColumn } from './columns.ts'
import { causeText, NO_FILTER } from './list-filter.ts'
import { maxRows, ROW_HEIGHT, scrollToRow, TALL_ROW_HEIGHT, useStillRows, visibleRows } from './list-rows.ts'

/** @param opened the number of the call that is open beside the list. */
export function CallList({ opened }: { opened: number | undefined }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
  const [scrollTop, setScrollTop] = useState(0)
  const columns = chooseColumns(width)
  // Without a column for the cause of the answer, each row has a second line for it.
  const rowHeight = columns.some(({ name }) => name === 'matched') ? ROW_HEIGHT : TALL_ROW_HEIGHT
  const { current, keys } = useCursor(scroller, opened, rowHeight, height)
  const unseen = useStillRows(scroller, current ?? opened, scrollTop, rowHeight)
  const listed = calls.listed.value
  const { first, end } = visibleRows(scrollTop, height, listed.length, rowHeight)
  const drawn = listed.slice(first, end).map((call, index) => ({ call, row: first + index }))
  // Rows that come into view use the elements of those that leave it: they have the same keys. Counted from the oldest
  // call, no call changes its element when others are added. In test/browser/console-speed.test.ts, scrolling takes 1.3 s
  // of the main thread in 113 frames, and 1.7 s with an element for each call.
  const keyOfRow = (row: number): number => (listed.length - 1 - row) % maxRows(height, rowHeight)
  // The cursor may have been scrolled out of view.
  const isCurrentDrawn = drawn.some(({ call }) => call.number === current)
  const scrollToTop = (): void => scroller.current!.scrollTo(0, 0)
  return (
    <div class="list-frame" style={{ '--columns': gridTemplate(columns) }}>
      <div
        id="call-rows"
        class="rows"
        role="grid"
        aria-label={calls.isBySlowest.value ? 'Calls, slowest first' : 'Calls, newest first'}
        aria-rowcount={listed.length + 1}
        aria-colcount={columns.length}
        {...(isCurrentDrawn && { 'aria-activedescendant': `call-${current}` })}
        tabIndex={0}
        ref={scroller}
        onScroll={({ currentTarget }) => setScrollTop(currentTarget.scrollTop)}
        onKeyDown={onKeys(keys)}
      >
        <ListHead columns={columns} onSort={scrollToTop} />
        <div class="row-space" role="presentation" style={{ height: `${listed.length * rowHeight}px` }}>
          {drawn.map(({ call, row }) => (
            <CallRow
              key={keyOfRow(row)}
              call={call}
              columns={columns}
              row={row}
              rowHeight={rowHeight}
              isOpen={call.number === opened}
              isCurrent={call.number === current}
            />
          ))}
        </div>
      </div>
      {listed.length === 0 && <EmptyList />}
      {unseen > 0 && <Button class="new-calls" text={`↑ ${formatCount(unseen, 'new call')}`} onClick={scrollToTop} />}
    </div>
  )
}

/**
 * The cursor of the list: the call that the keyboard is at, and the actions of the keys that move it. While a call is
 * open, moving the cursor opens the next call.
 */
function useCursor(list: RefObject<HTMLElement | null>, opened: number | undefined, rowHeight: number, height: number) {
  /** The number of the call; undefined until a key is pressed or a call is opened. */
  const [current, setCurrent] = useState<number>()
  const goTo = (number: number): void => {
    const { scrollTop, clientHeight } = list.current!
    const row = calls.rowOf(number)
    setCurrent(number)
    // The head of the list covers as much as a row.
    if (row >= 0) list.current!.scrollTop = scrollToRow(row, scrollTop, clientHeight - ROW_HEIGHT, rowHeight)
  }
  const moveBy = (by: 1 | -1): void => {
    const at = current ?? opened
    const next = at === undefined ? calls.listed.value[0]?.number : neighbourOf(at, by)
    // j and k work from anywhere on the page. With the focus, the arrow keys go on from there.
    list.current!.focus({ preventScroll: true })
    if (next === undefined) return
    goTo(next)
    if (opened !== undefined) openCall(next)
  }
  // A call that is opened by its address or by a key comes into view, once the height of the rows is known.
  const isMeasured = height > 0
  useLayoutEffect(() => {
    if (opened !== undefined) goTo(opened)
  }, [opened, isMeasured])
  const keys = {
    ArrowDown: () => moveBy(1),
    ArrowUp: () => moveBy(-1),
    Enter: () => openCall(current),
  }
  // An open call has j and k for itself.
  useKeys(opened === undefined ? { j: keys.ArrowDown, k: keys.ArrowUp, Enter: keys.Enter } : {})
  return { current, keys }
}

/** The titles of the columns. That of the durations sorts the list. */
function ListHead({ columns, onSort }: { columns: readonly ListColumn[]; onSort: () => void }) {
  const isBySlowest = calls.isBySlowest.value
  const sort = (): void => {
    calls.isBySlowest.value = !isBySlowest
    onSort()
  }
  const hint = isBySlowest ? 'Show the newest calls first' : 'Show the slowest calls first'
  const sorted = { 'aria-sort': isBySlowest ? 'descending' : 'none' } as const
  const sortButton = <Button class="sort" title={hint} text={isBySlowest ? 'Duration ↓' : 'Duration'} onClick={sort} />
  return (
    <div class="row-head" role="row" aria-rowindex={1}>
      {columns.map(({ name, title, isNumber }) => (
        <span key={name} role="columnheader" class={isNumber ? 'number' : ''} {...(name === 'duration' && sorted)}>
          {name === 'duration' ? sortButton : title}
        </span>
      ))}
    </div>
  )
}

interface RowProps {
  readonly call: CallSummary
  readonly columns: readonly ListColumn[]
  /** Its place in the list, from 0. */
  readonly row: number
  readonly rowHeight: number
  readonly isOpen: boolean
  readonly isCurrent: boolean
}

/** A call as a row: a cell for each column that has room. */
function CallRow({ call, columns, row, rowHeight, isOpen, isCurrent }: RowProps) {
  const { number, status, outcome, prompt, reason } = call
  /** The cells that are more than a text, by the name of their column. */
  const contents: Partial<Record<string, ComponentChildren>> = {
    number: (
      <a href={pathTo('calls', number)} tabIndex={-1} aria-label={`Call ${number}`}>
        {number}
      </a>
    ),
    status: [
      // A call in progress may have no status yet.
      (status !== 0 || outcome !== 'open') && <StatusBadge status={status} />,
      // `open`, `cut` or `left`.
      outcome !== 'complete' && <span class="ending">{outcome.replace('client-', '')}</span>,
    ],
    ...(rowHeight > ROW_HEIGHT && {
      prompt: [<span class="first-line">{prompt}</span>, <span class="second-line">{causeText(reason)}</span>],
    }),
  }
  return (
    <div
      id={`call-${number}`}
      role="row"
      aria-rowindex={row + 2}
      aria-selected={isOpen}
      class={`call-row${isOpen ? ' open' : ''}${isCurrent ? ' current' : ''}`}
      style={{ transform: `translateY(${row * rowHeight}px)`, height: `${rowHeight}px` }}
      onClick={(event) => {
        // With these keys, the link of the row opens another tab or window.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openCall(number)
      }}
    >
      {columns.map(({ name, isNumber, text, hint = text }) => (
        <span
          key={name}
          role="gridcell"
          class={`cell-${name}${isNumber ? ' number' : ''}`}
          title={hint(call, clock.value)}
        >
          {contents[name] ?? text(call, clock.value)}
        </span>
      ))}
    </div>
  )
}

/** The text in place of an empty list. Before the first call it has a form to try one. */
function EmptyList() {
  if (calls.all.value.length > 0) {
    return (
      <div class="empty">
        <p>No call matches the filter.</p>
        <Button class="main" text="Clear filter" onClick={() => (calls.filter.value = NO_FILTER)} />
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
