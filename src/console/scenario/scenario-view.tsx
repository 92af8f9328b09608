/** The view of the scenario: switches to a built-in one, or applies an edited text and shows its problems. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { Refusal } from '../api/control-api.ts'
import { say } from '../app/notices.tsx'
import { act, api, status } from '../app/store.ts'
import { type PlacedProblem, readProblems } from './problem-lines.ts'

interface CurrentScenario {
  readonly name: string
  readonly text: string
  /** Warnings about parts that can never apply; only when the scenario was just applied. */
  readonly warnings?: readonly PlacedProblem[]
}

export function ScenarioView(): JSX.Element {
  const text = useSignal('')
  const applied = useSignal('')
  const problems = useSignal<readonly PlacedProblem[]>([])
  const builtIn = useSignal<readonly { readonly name: string; readonly description: string }[]>([])
  const show = (scenario: CurrentScenario, isForced: boolean): void => {
    if (isForced || text.value === applied.value) text.value = scenario.text
    applied.value = scenario.text
    problems.value = scenario.warnings ?? []
  }
  useEffect(() => {
    act(async () => show(await api.read<CurrentScenario>('/scenario'), false))
  }, [status.value?.revision])
  useEffect(() => {
    act(async () => {
      builtIn.value = (await api.read<{ scenarios: typeof builtIn.value }>('/scenarios')).scenarios
    })
  }, [])
  const apply = (scenario: string | { readonly scenario: string }): void =>
    act(async () => {
      try {
        const response = await api.send('PUT', '/scenario', scenario)
        show((await response.json()) as CurrentScenario, true)
        say('The scenario is applied.')
      } catch (error) {
        problems.value = error instanceof Refusal ? readProblems(error.message) : []
        if (problems.value.length === 0) throw error
      }
    })
  return (
    <section class="page" aria-labelledby="scenario-title">
      <h2 id="scenario-title">Scenario</h2>
      <p class="row">
        <label for="built-in">Built-in scenario</label>
        <select
          id="built-in"
          value={status.value?.scenario ?? ''}
          onChange={({ currentTarget }) => apply({ scenario: currentTarget.value })}
        >
          {builtIn.value.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          apply(text.value)
        }}
      >
        <label for="scenario-text">Current scenario as YAML</label>
        <textarea
          id="scenario-text"
          spellcheck={false}
          wrap="off"
          rows={24}
          value={text.value}
          onInput={({ currentTarget }) => {
            text.value = currentTarget.value
          }}
        />
        <button type="submit" class="main">
          Apply
        </button>
      </form>
      <ol>
        {problems.value.map(({ line, column, message }) => (
          <li key={`${line}:${column}:${message}`}>
            {line}:{column} {message}
          </li>
        ))}
      </ol>
    </section>
  )
}
