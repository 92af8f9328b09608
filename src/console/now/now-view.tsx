/** The view of what the mock is doing now: state, limits and budgets, prompt cache, client mistakes and timing. */
import type { JSX } from 'preact'
import type { NowStatus } from '../../server/now.ts'
import { say } from '../app/notices.tsx'
import { pathTo } from '../app/router.ts'
import { act, api, now, status } from '../app/store.ts'
import { CacheText } from '../report/cache-text.tsx'
import { FindingList } from '../report/finding-list.tsx'
import { Gauges } from './gauges.tsx'
import { describePosition } from './state-text.ts'
import { Timing } from './timing.tsx'

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
