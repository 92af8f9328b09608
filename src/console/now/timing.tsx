/** Whether the timing of the mock can be trusted, and the figures behind it. */
import type { JSX } from 'preact'
import type { TimingReport } from '../../engine/timing/timing.ts'
import { formatMs } from '../parts/format.ts'

type Percentiles = TimingReport['errorMs']

export function Timing({
  timing: { waits, errorMs, eventLoopLagMs, valid, verdict },
}: {
  timing: TimingReport
}): JSX.Element {
  return (
    <section aria-labelledby="timing-title">
      <h3 id="timing-title">
        Timing {waits > 0 && <span class={valid ? 'badge good' : 'badge bad'}>{valid ? 'valid' : 'not valid'}</span>}
      </h3>
      <p>{verdict}</p>
      {waits > 0 && (
        <dl class="facts">
          <div>
            <dt>Waits</dt>
            <dd>{waits.toLocaleString('en')}</dd>
          </div>
          <div>
            <dt>Pacing error</dt>
            <dd>{describePercentiles(errorMs)}</dd>
          </div>
          {eventLoopLagMs !== null && (
            <div>
              <dt>Event-loop lag</dt>
              <dd>{describePercentiles(eventLoopLagMs)}</dd>
            </div>
          )}
        </dl>
      )}
    </section>
  )
}

const describePercentiles = ({ p50, p99 }: Percentiles): string => `${formatMs(p50)} (p50), ${formatMs(p99)} (p99)`
