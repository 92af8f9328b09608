/** The view of the scenario: an editor, the changes to the active scenario, and the built-in scenarios. */
import { copyText } from '../app/dialogs.tsx'
import { act, status, useAct } from '../app/page-state.ts'
import { navigate, pathTo, route } from '../app/router.ts'
import { Button } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { Tabs } from '../parts/tabs.tsx'
import { Changes, CodeEditor, goTo } from './code-editor.tsx'
import { Gallery } from './gallery.tsx'
import { active, addRuleFrom, applyText, checked, discard, isChanged, loadActive, text } from './scenario-store.ts'

const TABS = [
  { name: 'edit', title: 'Edit' },
  { name: 'changes', title: 'Changes' },
  { name: 'built-in', title: 'Built-in' },
]

export function ScenarioView() {
  const [first = 'edit', second] = route.value.rest
  const tab = TABS.some(({ name }) => name === first) ? first : 'edit'
  useAct(loadActive, [status.value?.revision])
  useAct(async () => {
    if (first !== 'add') return
    navigate(pathTo('scenario'), { replace: true })
    goTo({ line: await addRuleFrom(Number(second)), column: 1 })
  }, [first, second])
  // Changes to a file that were applied are lost when the mock ends.
  const isEdited = /[./\\].* \(edited\)$/.test(active.value?.name ?? '')
  const show = (name: string) => navigate(name === 'edit' ? pathTo('scenario') : pathTo('scenario', name))
  return (
    <section class="scenario" aria-labelledby="scenario-title">
      <div class="scenario-head">
        <h2 id="scenario-title">{active.value?.name ?? 'Scenario'}</h2>
        {isChanged.value && <span class="badge warn">changed, not applied</span>}
        {!isChanged.value && isEdited && <span class="hint">The file is not changed. Copy the text to keep it.</span>}
        <span class="scenario-actions">
          <Button
            class="main"
            title="Ctrl+Enter"
            disabled={!isChanged.value || checked.value.problems.length > 0}
            text="Apply"
            onClick={() => act(applyText)}
          />
          <Button text="Discard changes" disabled={!isChanged.value} onClick={discard} />
          <Button text="Copy" onClick={() => act(() => copyText(text.value, 'Copied the text of the scenario.'))} />
        </span>
      </div>
      <Tabs label="Scenario" tabs={TABS} shown={tab} onShow={show}>
        {tab === 'edit' && active.value !== undefined && (
          <div class="scenario-edit">
            <CodeEditor />
            <ProblemList />
          </div>
        )}
        {tab === 'changes' && !isChanged.value && <p class="empty">The text in the editor is the active scenario.</p>}
        {tab === 'changes' && isChanged.value && <Changes original={active.value?.text ?? ''} changed={text.value} />}
        {tab === 'built-in' && <Gallery chosen={second} />}
      </Tabs>
    </section>
  )
}

/** The problems and warnings of the edited text; each leads to its place. */
function ProblemList() {
  const { problems, warnings } = checked.value
  const counts: string[] = []
  if (problems.length > 0) counts.push(formatCount(problems.length, 'problem'))
  if (warnings.length > 0) counts.push(formatCount(warnings.length, 'warning'))
  const found = [
    ...problems.map((problem) => ({ ...problem, badge: <span class="badge bad">problem</span> })),
    ...warnings.map((problem) => ({ ...problem, badge: <span class="badge warn">warning</span> })),
  ]
  return (
    <div class="problems">
      <p role="status" class={counts.length === 0 ? 'hint' : ''}>
        {counts.length === 0 ? 'No problems.' : `${counts.join(', ')}:`}
      </p>
      {found.length > 0 && (
        <ul>
          {found.map(({ line, column, message, badge }, index) => (
            <li key={index}>
              <Button
                aria-label={`Go to ${line}:${column}`}
                text={`${line}:${column}`}
                onClick={() => goTo({ line, column })}
              />
              {badge}
              <span>{message}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
