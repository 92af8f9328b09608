/** One row of the list of calls. */
import type { JSX } from 'preact'
import type { CallSummary } from '../../core/journal/call-details.ts'
import type { Hello } from '../../server/event-stream.ts'
import { pathTo } from '../app/router.ts'
import { formatMs, formatTimeOfDay, tailOfKey } from '../parts/format.ts'
import type { Column } from './columns.ts'
import { causeText } from './list-filter.ts'
import { ROW_HEIGHT } from './list-rows.ts'

interface Props {
  readonly call: CallSummary
  readonly columns: readonly Column[]
  /** Its place in the list, from 0. */
  readonly index: number
  readonly isOpen: boolean
  readonly isCurrent: boolean
  readonly clock: Hello
  readonly onOpen: (number: number) => void
}

export function CallRow({ call, columns, index, isOpen, isCurrent, clock, onOpen }: Props): JSX.Element {
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
        onOpen(call.number)
      }}
    >
      {columns.map(({ name, isNumber }) => {
        const text = textOf(name, call, clock)
        return (
          <span
            key={name}
            role="gridcell"
            class={`cell-${name}${isNumber ? ' number' : ''}`}
            title={titleOf(name, call, text)}
          >
            {name === 'status' ? (
              <StatusBadge call={call} />
            ) : name === 'number' ? (
              <a href={pathTo('calls', call.number)} tabIndex={-1} aria-label={`Call ${call.number}`}>
                {text}
              </a>
            ) : (
              text
            )}
          </span>
        )
      })}
    </div>
  )
}

function textOf(name: Column['name'], call: CallSummary, clock: Hello): string {
  switch (name) {
    case 'number':
      return String(call.number)
    case 'time':
      return formatTimeOfDay(call.at, clock)
    case 'status':
      return ''
    case 'prompt':
      return call.prompt
    case 'model':
      return call.model
    case 'matched':
      return causeText(call.reason)
    case 'tokens':
      return call.usage === undefined
        ? ''
        : (call.usage.promptTokens + call.usage.completionTokens).toLocaleString('en')
    case 'duration':
      return call.outcome === 'open' ? '…' : formatMs(call.durationMs)
    case 'key':
      return tailOfKey(call.key)
    case 'endpoint':
      return call.endpoint
    default:
      return name satisfies never
  }
}

/** The whole text for the pointer, with what the column leaves out. */
function titleOf(name: Column['name'], call: CallSummary, text: string): string {
  const { reason, state, notes, key, session, usage } = call
  if (name === 'matched') {
    const why = causeText(reason)
    return [state === undefined ? why : `${why}, in ${state}`, ...notes].join('\n')
  }
  if (name === 'tokens' && usage !== undefined) return `${usage.promptTokens} in, ${usage.completionTokens} out`
  if (name === 'key') return session === undefined ? key : `${key}, session ${session}`
  return text
}

const RESULTS = { open: 'open', complete: '', cut: 'cut', 'client-left': 'left' } as const
const MEANINGS = {
  open: 'in progress',
  complete: '',
  cut: 'the mock cut it',
  'client-left': 'the client left',
} as const

export const statusKind = (status: number): 'good' | 'warn' | 'bad' =>
  status === 0 || status >= 500 ? 'bad' : status < 400 ? 'good' : 'warn'

export function StatusBadge({
  call: { status, outcome },
}: {
  call: Pick<CallSummary, 'status' | 'outcome'>
}): JSX.Element {
  return (
    <>
      {/* A call in progress may have no status yet. */}
      {(status !== 0 || outcome !== 'open') && (
        <span class={`status ${statusKind(status)}`}>{status === 0 ? 'none' : status}</span>
      )}
      {outcome !== 'complete' && (
        <span class="ending" title={MEANINGS[outcome]}>
          {RESULTS[outcome]}
        </span>
      )}
    </>
  )
}
