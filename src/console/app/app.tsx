/** The frame of the page: its header with the views as links, the view of the address, messages and dialogs. */
import { useEffect, useRef } from 'preact/hooks'
import { Dialogs, showKeys } from './dialogs.tsx'
import { Header } from './header.tsx'
import { listenToKeys, useKeys } from './keys.ts'
import { Notices } from './notices.tsx'
import { api, connect, connection, status } from './page-state.ts'
import { listenToAddress, navigate, pathTo, route, type View } from './router.ts'

export function App({ views }: { views: readonly View[] }) {
  const name = route.value.view
  const view = views.find((one) => one.name === name) ?? views[0]!
  useEffect(() => {
    listenToAddress()
    listenToKeys()
  }, [])
  const scenario = status.value?.scenario
  useEffect(() => {
    document.title = `${view.title} · ${scenario ?? 'llm-api-mock'}`
  }, [view, scenario])
  const jumps = Object.fromEntries(views.map(({ name, key }) => [key, () => navigate(pathTo(name))]))
  useKeys({ ...jumps, '?': showKeys })
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
      <Dialogs />
    </>
  )
}

/** Asks for the token of a mock that requires one. */
function TokenForm() {
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    api.token = field.current!.value.trim()
    connection.value = 'connecting'
    connect()
  }
  return (
    <form class="token" onSubmit={submit}>
      <label for="token">This server needs the token that --token set, or that it printed when it started.</label>
      <div class="row">
        <input id="token" ref={field} type="password" autocomplete="off" required />
        <button type="submit" class="main">
          Use token
        </button>
      </div>
    </form>
  )
}
