/** The frame of the page: its header with links to the views, the view of the address, messages and dialogs. */
import { useEffect, useRef } from 'preact/hooks'
import { Button, IconButton, Select } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { embedded } from '../report/embedded.ts'
import { connect } from './connection.ts'
import { api, setAccess } from './control-api.ts'
import { listenToKeys, useKeys } from './keys.ts'
import { ask, dialog, Notices, say, showKeys } from './messages.tsx'
import { act, calls, connection, enterState, status } from './page-state.ts'
import { listenToAddress, navigate, pathTo, route, type View } from './router.ts'

export function App({ views }: { views: readonly View[] }) {
  const view = views.find(({ name }) => name === route.value.view) ?? views[0]!
  useEffect(() => {
    listenToAddress()
    listenToKeys()
  }, [])
  const scenario = status.value?.scenario
  useEffect(() => {
    document.title = `${view.title} · ${scenario ?? 'llm-api-mock'}`
  }, [view, scenario])
  const viewKeys = Object.fromEntries(views.map(({ name, key }) => [key, () => navigate(pathTo(name))]))
  useKeys({ ...viewKeys, '?': () => showKeys(views) })
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <Header views={views} view={view} />
      <main id="main" tabIndex={-1}>
        {connection.value === 'refused' ? <TokenForm /> : <view.component key={view.name} />}
      </main>
      <Notices />
      {dialog}
    </>
  )
}

/** The states of the connection in words. */
const CONNECTIONS = { connecting: 'Connecting', live: 'Live', lost: 'Not connected', refused: 'Needs a token' } as const

/** The head of the page: links to the views, the connection, the scenario with its states, and the buttons for the whole page. */
function Header({ views, view }: { views: readonly View[]; view: View }) {
  const state = connection.value
  const current = status.value
  return (
    <header class="top">
      <h1>llm-api-mock</h1>
      <nav class="views" aria-label="Views">
        {views.map(({ name, title, key }) => (
          <a key={name} href={pathTo(name)} title={`${title} (${key})`} aria-current={name === view.name}>
            {title}
          </a>
        ))}
      </nav>
      <p class={embedded === undefined ? `connection ${state}` : 'embedded-label'} role="status">
        {embedded === undefined ? CONNECTIONS[state] : 'Report of a run'}
      </p>
      {current !== undefined && (
        <p class="active">
          <span class="active-label">Scenario </span>
          <a href={pathTo('scenario')} title={current.scenario}>
            {current.scenario}
          </a>
          {current.session !== undefined && <span> session {current.session}</span>}
          {current.state !== null && (
            <Select aria-label="State" value={current.state} options={current.states} onSelect={enterState} />
          )}
        </p>
      )}
      <p class="top-actions">
        {embedded === undefined && <Button text="Reset" onClick={() => act(reset)} />}
        <IconButton label="Keyboard shortcuts" text={<kbd>?</kbd>} onClick={() => showKeys(views)} />
      </p>
    </header>
  )
}

/** Resets the mock, if the user agrees. */
async function reset(): Promise<void> {
  const isSure = await ask({
    title: 'Reset the mock?',
    text: `This clears the journal (${formatCount(calls.all.value.length, 'call')}), attempts, limits, budgets, sequences, states and pending faults. The scenario stays active.`,
    yes: 'Reset',
  })
  if (!isSure) return
  await api.send('POST', '/reset')
  calls.clear()
  say('The mock is reset. The scenario stays active.')
}

/** Asks for the token of a mock that requires one. */
function TokenForm() {
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    setAccess('token', field.current!.value.trim())
    connection.value = 'connecting'
    void connect()
  }
  return (
    <form class="token" onSubmit={submit}>
      <label for="token">This server needs the token that --token set, or that it printed when it started.</label>
      <div class="row">
        <input id="token" ref={field} type="password" autocomplete="off" required />
        <Button type="submit" class="main" text="Use token" />
      </div>
    </form>
  )
}
