/** The frame of the page: its header with the views as links, the view of the address, messages and dialogs. */
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Dialogs, showKeys } from './dialogs.tsx'
import { Header } from './header.tsx'
import { listenToKeys, useKeys } from './keys.tsx'
import { Notices } from './notices.tsx'
import { listenToAddress, navigate, pathTo, route } from './router.ts'
import { connection, status } from './store.ts'
import { TokenForm } from './token-form.tsx'
import type { View } from './view.ts'

export function App({ views }: { views: readonly View[] }): JSX.Element {
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
