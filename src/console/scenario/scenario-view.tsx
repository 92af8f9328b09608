/** The view of the scenario: an editor, the changes to the active scenario, and the built-in scenarios. */
import type { FileContent } from '../../server/index.ts'
import { api } from '../app/control-api.ts'
import { ask, CopyButton } from '../app/messages.tsx'
import { act, status, useAct, useLoaded } from '../app/page-state.ts'
import { navigate, pathTo, route } from '../app/router.ts'
import { Button, Tabs } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { SplitPanes } from '../parts/split-panes.tsx'
import { Changes, CodeEditor } from './code-editor.tsx'
import * as store from './scenario-store.ts'

const TABS = [
  { name: 'edit', title: 'Edit' },
  { name: 'changes', title: 'Changes' },
  { name: 'built-in', title: 'Built-in' },
]

export function ScenarioView() {
  // `/_mock/scenario/built-in/openai` shows a tab, and `/_mock/scenario/add/17` adds a rule from call 17.
  const [action = 'edit', detail] = route.value.rest
  const tab = TABS.some(({ name }) => name === action) ? action : 'edit'
  // Loaded again when another scenario is active, and when the file has changed.
  useAct(store.loadActive, [status.value?.revision, status.value?.fileRevision])
  useAct(async () => {
    if (action !== 'add') return
    // With the address of the editor first, a reload of the page does not add the rule again.
    navigate(pathTo('scenario'), { replace: true })
    await store.addRuleFrom(Number(detail))
  }, [action, detail])
  const file = store.active.value?.file
  const hasProblems = store.checked.value.problems.length > 0
  const show = (name: string) => navigate(name === 'edit' ? pathTo('scenario') : pathTo('scenario', name))
  return (
    <section class="scenario" aria-labelledby="scenario-title">
      <div class="scenario-head">
        <h2 id="scenario-title">{store.active.value?.name ?? 'Scenario'}</h2>
        {store.isChanged.value && <span class="badge warn">changed, not applied</span>}
        <span class="scenario-actions">
          <Button
            class="main"
            title="Ctrl+Enter"
            disabled={!store.isChanged.value || hasProblems}
            text="Apply"
            onClick={() => act(store.applyText)}
          />
          {file !== undefined && (
            <Button
              title="Ctrl+S"
              disabled={store.text.value === file.text || hasProblems}
              text="Save to file"
              onClick={() => act(store.saveText)}
            />
          )}
          <Button text="Discard changes" disabled={!store.isChanged.value} onClick={store.discard} />
          <CopyButton text={store.text.value} done="Copied the text of the scenario." />
        </span>
      </div>
      {file !== undefined && <FileNotice file={file} />}
      <Tabs label="Scenario" tabs={TABS} shown={tab} onShow={show}>
        {tab === 'edit' && store.active.value !== undefined && (
          <div class="scenario-edit">
            <CodeEditor />
            <ProblemList />
          </div>
        )}
        {tab === 'changes' && <Changes original={store.active.value?.text ?? ''} changed={store.text.value} />}
        {tab === 'built-in' && <Gallery chosen={detail} />}
      </Tabs>
    </section>
  )
}

/** The problem of the file, or a note that its text differs from the active scenario. */
function FileNotice({ file }: { file: FileContent }) {
  const { path, text: inFile, problem } = file
  const differsFromEditor = inFile !== undefined && inFile !== store.text.value
  const differsFromActive = differsFromEditor && inFile !== store.active.value?.text
  if (problem === undefined && !differsFromActive) return <div role="status" />
  return (
    <div class="file-notice" role="status">
      {problem === undefined ? (
        <p>{path} differs from the active scenario.</p>
      ) : (
        <pre>{`${problem}\nThe last good scenario stays active.`}</pre>
      )}
      {differsFromEditor && <Button text="Load the file" onClick={() => store.loadFile(file)} />}
    </div>
  )
}

/** The problems and warnings of the edited text; each leads to its place. */
function ProblemList() {
  const { problems, warnings } = store.checked.value
  const items = [
    ...problems.map((problem) => ({ ...problem, kind: 'problem', badge: 'badge bad' })),
    ...warnings.map((warning) => ({ ...warning, kind: 'warning', badge: 'badge warn' })),
  ]
  const counts = [
    problems.length > 0 && formatCount(problems.length, 'problem'),
    warnings.length > 0 && formatCount(warnings.length, 'warning'),
  ].filter(Boolean)
  return (
    <div class="problems">
      <p role="status" class={items.length === 0 ? 'hint' : ''}>
        {items.length === 0 ? 'No problems.' : `${counts.join(', ')}:`}
      </p>
      <ul>
        {items.map(({ kind, badge, line, column, message }, index) => (
          <li key={index}>
            <Button
              aria-label={`Go to ${line}:${column}`}
              text={`${line}:${column}`}
              onClick={() => (store.wanted.value = { line, column })}
            />
            <span class={badge}>{kind}</span>
            <span>{message}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The built-in scenarios as a list; the chosen one beside it. */
function Gallery({ chosen }: { chosen: string | undefined }) {
  useAct(async () => {
    store.builtIn.value = (await api.read<{ scenarios: typeof store.builtIn.value }>('/scenarios')).scenarios
  }, [])
  const list = (
    <ul class="gallery" aria-label="Built-in scenarios">
      {store.builtIn.value.map(({ name, description }) => (
        <li key={name}>
          <a href={pathTo('scenario', 'built-in', name)} aria-current={name === chosen}>
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
  return <SplitPanes list={list} chosen={chosen !== undefined && <BuiltIn key={chosen} name={chosen} />} />
}

/** The text of a built-in scenario, which can be applied or edited. */
function BuiltIn({ name }: { name: string }) {
  const { text = '' } = useLoaded(() => api.read<{ text: string }>(`/scenarios/${name}`), [name]) ?? {}
  const edit = async (): Promise<void> => {
    const question = {
      title: 'Replace your changes?',
      text: 'The editor has changes that are not applied. They would be lost.',
      yes: 'Replace',
    }
    if (store.isChanged.value && !(await ask(question))) return
    store.edit(text)
    navigate(pathTo('scenario'))
  }
  return (
    <section class="built-in" aria-labelledby="built-in-title">
      <div class="scenario-head">
        <Button class="back" text="← Scenarios" onClick={() => navigate(pathTo('scenario', 'built-in'))} />
        <h3 id="built-in-title">{name}</h3>
        <Button class="main" text="Apply" onClick={() => act(() => store.apply({ scenario: name }))} />
        <Button text="Edit" onClick={() => act(edit)} />
      </div>
      <pre tabIndex={0}>
        <code>{text}</code>
      </pre>
    </section>
  )
}
