/** The header: views, connection, scenario with its state, reset and shortcuts. */
import { Button } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { embedded } from '../report/embedded.ts'
import { ask, showKeys } from './dialogs.tsx'
import { say } from './notices.tsx'
import { act, api, calls, connection, enterState, forgetCalls, status } from './page-state.ts'
import { pathTo, type View } from './router.ts'

const CONNECTIONS = { connecting: 'Connecting', live: 'Live', lost: 'Not connected', refused: 'Needs a token' } as const

export function Header({ views, view }: { views: readonly View[]; view: View }) {
  const state = connection.value
  return (
    <header class="top">
      <h1>llm-api-mock</h1>
      <nav class="views" aria-label="Views">
        {views.map(({ name, title, key }) => (
          <a
            key={name}
            href={pathTo(name)}
            title={`${title} (${key})`}
            {...(name === view.name && { 'aria-current': 'page' })}
          >
            {title}
          </a>
        ))}
      </nav>
      {embedded === undefined ? (
        <p class={`connection ${state}`} role="status">
          {CONNECTIONS[state]}
        </p>
      ) : (
        <p class="embedded-label">Report of a run</p>
      )}
      <ScenarioName />
      <p class="top-actions">
        {embedded === undefined && <Button text="Reset" onClick={() => act(reset)} />}
        <button
          type="button"
          class="plain"
          aria-label="Keyboard shortcuts"
          title="Keyboard shortcuts"
          onClick={showKeys}
        >
          <kbd>?</kbd>
        </button>
      </p>
    </header>
  )
}

function ScenarioName() {
  if (status.value === undefined) return null
  const { scenario, state, states } = status.value
  return (
    <p class="active">
      <span class="active-label">Scenario </span>
      <a href={pathTo('scenario')} title={scenario}>
        {scenario}
      </a>
      {state !== null && (
        <label>
          <span class="unseen">State</span>
          <select value={state} onChange={({ currentTarget }) => enterState(currentTarget.value)}>
            {states.map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>
        </label>
      )}
    </p>
  )
}

async function reset(): Promise<void> {
  const isSure = await ask({
    title: 'Reset the mock?',
    text: `This clears the journal (${formatCount(calls.all.value.length, 'call')}), attempts, limits, budgets, sequences, states and pending faults. The scenario stays active.`,
    yes: 'Reset',
  })
  if (!isSure) return
  await api.send('POST', '/reset')
  forgetCalls()
  say('The mock is reset. The scenario stays active.')
}
