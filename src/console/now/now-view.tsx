/** The view Now: the state of the mock, its limits and budgets, client mistakes, the prompt cache and the timing, once a second. */
import type { KeyUsage, LimitUsage } from '../../core/journal/limit-usage.ts'
import type { TimingReport } from '../../engine/index.ts'
import type { NowStatus } from '../../server/index.ts'
import { enterState, now, status } from '../app/page-state.ts'
import { Button, Section } from '../parts/elements.tsx'
import { formatCount, formatOwner } from '../parts/format.ts'
import { CacheText, FindingList } from '../report/run-details.tsx'
import { describeLeft, describeLimit, describePosition, formatPercentiles } from './now-text.ts'

export function NowView() {
  const shown = now.value
  return (
    <div class="page now">
      <h2 class="unseen">Now</h2>
      {shown === undefined ? (
        <p class="empty">Waiting for the mock.</p>
      ) : (
        <>
          {shown.state !== null && <States position={shown.state} />}
          {shown.sessions.length > 0 && <Sessions sessions={shown.sessions} />}
          <Gauges keys={shown.limits} />
          <Section title="Client mistakes">
            <p class="hint">From the last 500 calls.</p>
            <FindingList findings={shown.findings.toReversed()} isLinked />
          </Section>
          <Section title="Prompt cache">
            <CacheText cache={shown.cache} />
          </Section>
          <Timing {...shown.timing} />
        </>
      )}
    </div>
  )
}

/** The states of the scenario as buttons that enter them, and how long the current one lasts. */
function States({ position }: { position: NonNullable<NowStatus['state']> }) {
  // The status comes with each call, the position once a second: its text is shown only for the same state.
  const current = status.value?.state ?? position.state
  return (
    <Section title="State">
      <div class="states" role="group" aria-label="Enter a state">
        {(status.value?.states ?? []).map((state) => (
          <Button
            key={state}
            class={state === current ? 'state current' : 'state'}
            aria-pressed={state === current}
            text={state}
            onClick={() => enterState(state)}
          />
        ))}
      </div>
      {current === position.state && <p class="hint">{describePosition(position)}</p>}
    </Section>
  )
}

const Sessions = ({ sessions }: Pick<NowStatus, 'sessions'>) => (
  <Section title="State of each session">
    <ul class="session-states">
      {sessions.toReversed().map((position) => (
        <li key={position.session}>
          <code>{position.session}</code>
          <span>
            <strong>{position.state}</strong> <span class="hint">{describePosition(position)}</span>
          </span>
        </li>
      ))}
    </ul>
  </Section>
)

/** Limits and budgets by key. */
const Gauges = ({ keys }: { keys: readonly KeyUsage[] }) => (
  <Section title="Limits and budgets">
    {keys.length === 0 && <p class="hint">No key has used a limit or a budget.</p>}
    <ul class="gauges">
      {keys.map(({ key, session, limits }) => {
        const owner = formatOwner(key, session)
        return (
          <li key={owner}>
            <h4 class="code">{owner}</h4>
            {limits.map((usage, index) => (
              <Gauge key={index} usage={usage} owner={owner} />
            ))}
          </li>
        )
      })}
    </ul>
  </Section>
)

/** A limit as a gauge. A limit of 0 is always full. */
function Gauge({ usage, owner }: { usage: LimitUsage; owner: string }) {
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

/** The verdict on the timing of the mock, and the figures behind it. */
function Timing({ waits, errorMs, eventLoopLagMs, valid, verdict }: TimingReport) {
  const badge = waits > 0 && <span class={valid ? 'badge good' : 'badge bad'}>{valid ? 'valid' : 'not valid'}</span>
  return (
    <Section title={<>Timing {badge}</>}>
      <p class="hint">{verdict}</p>
      {waits > 0 && (
        <p>
          {formatCount(waits, 'wait')}, with a pacing error of {formatPercentiles(errorMs)}
          {eventLoopLagMs !== null && `, and an event-loop lag of ${formatPercentiles(eventLoopLagMs)}`}
        </p>
      )}
    </Section>
  )
}
