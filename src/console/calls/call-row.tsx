/** A call as a row of the list: a cell for each column that has room. */
import type { JSX } from 'preact'
import type { CallSummary } from '../../core/journal/call-details.ts'
import { clock, openCall } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { StatusBadge } from '../parts/elements.tsx'
import type { ListColumn } from './columns.ts'
import { causeText } from './list-filter.ts'
import { ROW_HEIGHT } from './list-rows.ts'

interface RowProps {
  readonly call: CallSummary
  readonly columns: readonly ListColumn[]
  /** Its place in the list, from 0. */
  readonly index: number
  readonly rowHeight: number
  readonly isOpen: boolean
  readonly isCurrent: boolean
}

export function CallRow({ call, columns, index, rowHeight, isOpen, isCurrent }: RowProps) {
  /** The cells that are more than a text. */
  const contents: Partial<Record<string, JSX.Element>> = {
    status: <StatusAndEnding {...call} />,
    number: (
      <a href={pathTo('calls', call.number)} tabIndex={-1} aria-label={`Call ${call.number}`}>
        {call.number}
      </a>
    ),
    ...(rowHeight > ROW_HEIGHT && { prompt: <PromptAndCause {...call} /> }),
  }
  return (
    <div
      id={`call-${call.number}`}
      role="row"
      aria-rowindex={index + 2}
      aria-selected={isOpen}
      class={`call-row${isOpen ? ' open' : ''}${isCurrent ? ' current' : ''}`}
      style={{ transform: `translateY(${index * rowHeight}px)`, height: `${rowHeight}px` }}
      onClick={(event) => {
        // With these keys, the link of the row opens another tab or window.
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openCall(call.number)
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

/** The two lines of a tall row. */
const PromptAndCause = ({ prompt, reason }: Pick<CallSummary, 'prompt' | 'reason'>) => (
  <>
    <span class="first-line">{prompt}</span>
    <span class="second-line">{causeText(reason)}</span>
  </>
)

/** The endings of calls that did not end normally. */
const ENDINGS: Readonly<Record<CallSummary['outcome'], string>> = {
  complete: '',
  open: 'open',
  cut: 'cut',
  'client-left': 'left',
}

/** The status of a call as a coloured badge, and how the call ended if not normally. */
const StatusAndEnding = ({ status, outcome }: Pick<CallSummary, 'status' | 'outcome'>) => (
  <>
    {/* A call in progress may have no status yet. */}
    {(status !== 0 || outcome !== 'open') && <StatusBadge status={status} />}
    {outcome !== 'complete' && <span class="ending">{ENDINGS[outcome]}</span>}
  </>
)
