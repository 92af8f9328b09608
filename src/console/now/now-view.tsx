/** The view of what the mock is doing now: state, limits and budgets, prompt cache, client mistakes and timing. */
import type { JSX } from 'preact'
import type { KeyUsage, LimitUsage } from '../../core/journal/limit-usage.ts'
import type { TimingReport } from '../../engine/timing/timing.ts'
import type { NowStatus } from '../../server/now.ts'
import { say } from '../app/notices.tsx'
import { act, api, now, status } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { formatMs } from '../parts/format.ts'
import { CacheText, FindingList } from '../report/finding-list.tsx'
import { describeLeft, describeLimit, describePosition } from './now-text.ts'

export function NowView(): JSX.Element {
  const shown = now.value
  return (
    <div class="page now">
      <h2 class="unseen">Now</h2>
      {shown === undefined ? (
        <p class="empty">Waiting for the mock.</p>
      ) : (
        <>
          <States />
          <Sessions sessions={shown.sessions} />
          <Gauges keys={shown.limits} />
          <section aria-labelledby="mistakes-title">
            <h3 id="mistakes-title">Client mistakes</h3>
            <p class="hint">What clients did wrong in the last 500 calls.</p>
            <FindingList findings={[...shown.findings].reverse()} isLinked />
          </section>
          <section aria-labelledby="cache-title">
            <h3 id="cache-title">Prompt cache</h3>
            <CacheText cache={shown.cache} />
          </section>
          <Timing timing={shown.timing} />
          <p class="hint">
            To look at the report of a test run, <a href={pathTo('report')}>open its file</a>.
          </p>
        </>
      )}
    </div>
  )
}

function States(): JSX.Element | null {
  const states = status.value?.states ?? []
  const position = now.value?.state
  if (position === undefined || position === null) return null
  // The status is newer: it comes with each call.
  const current = status.value?.state ?? position.state
  return (
    <section aria-labelledby="state-title">
      <h3 id="state-title">State</h3>
      <div class="states" role="group" aria-label="Enter a state">
        {states.map((state) => (
          <button
            type="button"
            key={state}
            class={state === current ? 'state current' : 'state'}
            aria-pressed={state === current}
            onClick={() => act(() => enter(state))}
          >
            {state}
          </button>
        ))}
      </div>
      {current === position.state && <p class="hint">{describePosition(position)}</p>}
    </section>
  )
}

function Sessions({ sessions }: Pick<NowStatus, 'sessions'>): JSX.Element | null {
  if (sessions.length === 0) return null
  return (
    <section aria-labelledby="sessions-title">
      <h3 id="sessions-title">State of each session</h3>
      <ul class="session-states">
        {sessions.toReversed().map((position) => (
          <li key={position.session}>
            <code>{position.session}</code> <strong>{position.state}</strong>{' '}
            <span class="hint">{describePosition(position)}</span>
          </li>
        ))}
      </ul>
    </section>
  )
}

async function enter(state: string): Promise<void> {
  await api.send('PUT', '/state', { state })
  say(`Entered the state ${state}.`)
}

export function Gauges({ keys }: { keys: readonly KeyUsage[] }): JSX.Element {
  return (
    <section aria-labelledby="limits-title">
      <h3 id="limits-title">Limits and budgets</h3>
      {keys.length === 0 && <p class="hint">No key has used a limit or a budget.</p>}
      <ul class="gauges">
        {keys.map(({ key, session, limits }) => (
          <li key={`${key} ${session ?? ''}`}>
            <h4>
              <code>{key === '' ? 'no key' : key}</code>
              {session !== undefined && `, session ${session}`}
            </h4>
            {limits.map((usage, index) => (
              <Gauge key={index} usage={usage} owner={session === undefined ? key : `${key}, session ${session}`} />
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Gauge({ usage, owner }: { usage: LimitUsage; owner: string }): JSX.Element {
  const { limit, used } = usage
  return (
    <div class="gauge">
      <span>{describeLimit(usage)}</span>
      <meter
        min={0}
        max={limit === 0 ? 1 : limit}
        value={limit === 0 ? 1 : used}
        low={0.6 * limit}
        high={0.9 * limit}
        optimum={0}
        aria-label={`${describeLimit(usage)} of ${owner}: ${used} used`}
      />
      <span class="gauge-left">{describeLeft(usage)}</span>
    </div>
  )
}

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
