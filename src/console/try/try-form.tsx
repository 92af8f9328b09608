/** A form that sends a chat to the mock. */
import { signal } from '@preact/signals'
import type { JsonObject } from '../../core/lib/text/json.ts'
import { api, status, useAct } from '../app/page-state.ts'
import { Checkbox, TextField } from '../parts/elements.tsx'
import { send } from './tried-call.ts'

export const CHAT_PATH = '/v1/chat/completions'

/** The call in the form, kept while other views are shown. An empty text stands for a value that the form suggests. */
const draft = signal({ message: '', model: '', key: '', isStream: true })

function change(changed: Partial<typeof draft.value>): void {
  draft.value = { ...draft.value, ...changed }
}

interface ScenarioSummary {
  readonly exampleKey: string
  readonly source: { readonly keys?: object; readonly models?: object }
}

/** The models and keys that the scenario suggests. */
const suggested = signal({ models: [] as string[], keys: [] as string[], exampleKey: 'sk-test' })

/** The draft with empty fields filled in, and the body to send. */
export function completeDraft() {
  const { models, exampleKey } = suggested.value
  const { isStream } = draft.value
  const message = draft.value.message || 'Hello!'
  const model = draft.value.model || (models[0] ?? 'echo-1')
  const body: JsonObject = { model, messages: [{ role: 'user', content: message }], ...(isStream && { stream: true }) }
  return { message, model, key: draft.value.key || exampleKey, body }
}

export function TryForm() {
  useAct(async () => {
    const { exampleKey, source } = await api.read<ScenarioSummary>('/scenario')
    const namesOf = (map: object = {}) => Object.keys(map).filter((name) => !name.includes('*'))
    suggested.value = { models: namesOf(source.models), keys: namesOf(source.keys), exampleKey }
  }, [status.value?.revision])
  const { message, isStream } = draft.value
  const filled = completeDraft()
  const submit = (event?: Event): void => {
    event?.preventDefault()
    void send(CHAT_PATH, filled.key, filled.body, filled.message)
  }
  return (
    <form class="try-form" onSubmit={submit}>
      <p class="try-message">
        <label for="try-message">Message</label>
        <textarea
          id="try-message"
          rows={3}
          placeholder="Hello!"
          value={message}
          onInput={({ currentTarget }) => change({ message: currentTarget.value })}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
          }}
        />
      </p>
      <SuggestedField name="model" label="Model" placeholder={filled.model} options={suggested.value.models} />
      <SuggestedField name="key" label="Key" placeholder={filled.key} options={suggested.value.keys} />
      <p class="try-actions">
        <Checkbox label="Stream" checked={isStream} onChange={(checked) => change({ isStream: checked })} />
        <button type="submit" class="main">
          Send
        </button>
      </p>
    </form>
  )
}

interface SuggestedProps {
  readonly name: 'model' | 'key'
  readonly label: string
  readonly placeholder: string
  readonly options: readonly string[]
}

/** A text field that suggests values. */
const SuggestedField = ({ name, label, placeholder, options }: SuggestedProps) => (
  <p>
    <label for={`try-${name}`}>{label}</label>
    <TextField
      id={`try-${name}`}
      list={`try-${name}s`}
      placeholder={placeholder}
      value={draft.value[name]}
      onInput={({ currentTarget }) => change({ [name]: currentTarget.value })}
    />
    <datalist id={`try-${name}s`}>
      {options.map((option) => (
        <option key={option} value={option} />
      ))}
    </datalist>
  </p>
)
