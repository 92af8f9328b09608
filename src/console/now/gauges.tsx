/** Limits and budgets as gauges, by key. */
import type { JSX } from 'preact'
import type { KeyUsage, LimitUsage } from '../../core/journal/limit-usage.ts'
import { describeLeft, describeLimit } from './limit-text.ts'

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
