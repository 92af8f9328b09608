/** The list of calls, newest first. Only the visible rows are drawn, and new calls do not move what is being read. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { onKeys, useKeys } from '../app/keys.ts'
import { calls, connection, openCall } from '../app/page-state.ts'
import { Button } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { useSize } from '../parts/use-size.ts'
import { embedded } from '../report/embedded.ts'
import { TryForm } from '../try/try-form.tsx'
import { CallRow } from './call-row.tsx'
import { chooseColumns, gridTemplate } from './columns.ts'
import { NO_FILTER } from './list-filter.ts'
import { maxRows, ROW_HEIGHT, scrollToRow, TALL_ROW_HEIGHT, useStillRows, visibleRows } from './list-rows.ts'

export function CallList({ opened }: { opened: number | undefined }) {
  const scroller = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(scroller)
  const [scrollTop, setScrollTop] = useState(0)
  /** The row that the keyboard is at, by the number of its call. */
  const [current, setCurrent] = useState<number>()
  const shown = calls.listed.value
  const isBySlowest = calls.isBySlowest.value
  const count = shown.length
  const columns = chooseColumns(width)
  const rowHeight = columns.some(({ name }) => name === 'matched') ? ROW_HEIGHT : TALL_ROW_HEIGHT
  const unseen = useStillRows(scroller, current ?? opened, scrollTop, rowHeight)

  const reveal = (row: number): void => {
    const list = scroller.current!
    list.scrollTop = scrollToRow(row, list.scrollTop, list.clientHeight - ROW_HEIGHT, rowHeight)
  }
  const moveTo = (row: number): void => {
    const call = shown[row]
    if (call === undefined) return
    setCurrent(call.number)
    reveal(row)
    if (opened !== undefined) openCall(call.number)
  }
  const moveBy = (rows: number): void => {
    const from = calls.rowOf(current ?? opened ?? 0)
    moveTo(from < 0 ? 0 : Math.min(count - 1, Math.max(0, from + rows)))
    scroller.current!.focus({ preventScroll: true })
  }
  const toTop = (): void => scroller.current!.scrollTo(0, 0)
  const page = Math.max(1, Math.floor(height / rowHeight) - 2)
  const keys = {
    ArrowDown: () => moveBy(1),
    ArrowUp: () => moveBy(-1),
    PageDown: () => moveBy(page),
    PageUp: () => moveBy(-page),
    Home: () => moveTo(0),
    End: () => moveTo(count - 1),
    Enter: () => current !== undefined && openCall(current),
  }
  useKeys(opened === undefined ? { j: () => moveBy(1), k: () => moveBy(-1), Enter: keys.Enter } : {})

  // A call that is opened by its URL or a keyboard key comes into view.
  useLayoutEffect(() => {
    if (opened === undefined) return
    setCurrent(opened)
    const row = calls.rowOf(opened)
    if (row >= 0) reveal(row)
  }, [opened, height > 0])

  const { first, end } = visibleRows(scrollTop, height, count, rowHeight)
  const pool = maxRows(height, rowHeight)
  /** By age: elements are used again while scrolling, and stay with their call when calls are added. */
  const slotOf = (row: number): number => (count - 1 - row) % pool
  const rows = shown.slice(first, end)
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
        onKeyDown={onKeys(keys)}
      >
        <ListHead columns={columns} onSort={toTop} />
        <div class="row-space" role="presentation" style={{ height: `${count * rowHeight}px` }}>
          {rows.map((call, index) => (
            <CallRow
              key={slotOf(first + index)}
              call={call}
              columns={columns}
              index={first + index}
              rowHeight={rowHeight}
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

/** The titles of the columns. That of the durations sorts the list. */
function ListHead({ columns, onSort }: { columns: ReturnType<typeof chooseColumns>; onSort: () => void }) {
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
