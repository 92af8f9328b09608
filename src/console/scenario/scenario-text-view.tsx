/** The scenario as text, to read and to copy. */
import type { JSX } from 'preact'
import { copyText } from '../app/dialogs.tsx'
import { act } from '../app/store.ts'
import { embedded } from '../report/embedded.ts'

export function ScenarioTextView(): JSX.Element | null {
  if (embedded === undefined) return null
  const { name, text } = embedded.scenario
  return (
    <section class="scenario" aria-labelledby="scenario-title">
      <div class="scenario-head">
        <h2 id="scenario-title">{name}</h2>
        <span class="hint">The scenario at the end of the run. API keys are masked.</span>
        <span class="scenario-actions">
          <button type="button" onClick={() => act(() => copyText(text, 'Copied the text of the scenario.'))}>
            Copy
          </button>
        </span>
      </div>
      <pre class="scenario-text" role="region" aria-label="Scenario as YAML" tabIndex={0}>
        {text}
      </pre>
    </section>
  )
}
