/** The built-in scenarios: a list, and the text of the chosen one. */
import { useState } from 'preact/hooks'
import { ask } from '../app/dialogs.tsx'
import { act, api, status, useAct } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { Button } from '../parts/elements.tsx'
import { SplitPanes } from '../parts/split-panes.tsx'
import { apply, builtIn, edit, isChanged } from './scenario-store.ts'

export function Gallery({ chosen }: { chosen: string | undefined }) {
  useAct(async () => {
    builtIn.value = (await api.read<{ scenarios: typeof builtIn.value }>('/scenarios')).scenarios
  }, [])
  const list = (
    <ul class="gallery" aria-label="Built-in scenarios">
      {builtIn.value.map(({ name, description }) => (
        <li key={name}>
          <a href={pathTo('scenario', 'built-in', name)} {...(name === chosen && { 'aria-current': 'true' })}>
            <span class="gallery-name">
              {name}
              {name === status.value?.scenario && <span class="badge good">active</span>}
            </span>
            <span class="gallery-text">{description}</span>
          </a>
        </li>
      ))}
    </ul>
  )
  return (
    <SplitPanes
      label="Width of the list"
      first={list}
      second={chosen === undefined ? undefined : <BuiltIn key={chosen} name={chosen} />}
    />
  )
}

function BuiltIn({ name }: { name: string }) {
  const [text, setText] = useState('')
  useAct(async () => setText((await api.read<{ text: string }>(`/scenarios/${name}`)).text), [name])
  return (
    <section class="built-in" aria-labelledby="built-in-title">
      <div class="scenario-head">
        <Button class="back" text="← Scenarios" onClick={() => navigate(pathTo('scenario', 'built-in'))} />
        <h3 id="built-in-title">{name}</h3>
        <Button class="main" text="Apply" onClick={() => act(() => apply({ scenario: name }))} />
        <Button text="Edit" onClick={() => act(() => editBuiltIn(text))} />
      </div>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </section>
  )
}

async function editBuiltIn(text: string): Promise<void> {
  const question = {
    title: 'Replace your changes?',
    text: 'The editor has changes that are not applied. They would be lost.',
    yes: 'Replace',
  }
  if (isChanged.value && !(await ask(question))) return
  edit(text)
  navigate(pathTo('scenario'))
}
