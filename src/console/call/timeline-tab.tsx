/** The steps of an answer, as a bar and as a table. */
import type { JSX } from 'preact'
import type { CallDetails } from '../../core/journal/call-details.ts'
import type { Step } from '../../core/journal/entry.ts'
import { formatMs } from '../parts/format.ts'
import { summarizeChunk } from './answer.ts'
import { layOutTimeline } from './timeline.ts'

const STEPS: Readonly<Record<string, string>> = {
  send: 'send',
  raw: 'send bytes that are not HTTP',
  flush: 'start a new packet',
  end: 'end',
  close: 'close the connection',
  reset: 'reset the connection',
  stall: 'stall until the client leaves',
}
const describeStep = (step: Step): string =>
  step.type === 'head' ? `head ${step.status}` : (STEPS[step.type] ?? step.type)

export function TimelineTab({ call }: { call: CallDetails }): JSX.Element {
  if (call.timeline === undefined) return <p class="hint">The timeline is no longer stored.</p>
  const { moments } = layOutTimeline(call.timeline)
  return (
    <table class="steps">
      <thead>
        <tr>
          <th scope="col" class="number">
            At
          </th>
          <th scope="col">Step</th>
          <th scope="col" class="number">
            Bytes
          </th>
          <th scope="col">Data</th>
        </tr>
      </thead>
      <tbody>
        {moments.map(({ step, atMs, isDone }, index) => (
          <tr key={index} class={isDone ? '' : 'not-done'}>
            <td class="number">{isDone ? formatMs(atMs) : 'never'}</td>
            <td>{step.type === 'wait' ? `wait ${formatMs(step.ms)}` : describeStep(step)}</td>
            <td class="number">{'bytes' in step ? step.bytes : ''}</td>
            <td class="code">{'bytes' in step ? summarizeChunk(step.data ?? '').slice(0, 300) : ''}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
