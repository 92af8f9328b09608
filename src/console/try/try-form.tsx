/** A form that sends a chat to the mock. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { JsonObject } from '../../core/lib/text/json.ts'
import { act, api, status } from '../app/page-state.ts'
import { TextField } from '../parts/elements.tsx'
import { send } from './tried-call.ts'

export const CHAT_PATH = '/v1/chat/completions'

/** The call in the form. An empty text stands for a value that the form suggests. */
interface CallDraft {
  readonly message: string
  readonly model: string
  readonly key: string
  readonly isStream: boolean
}

/** Kept while other views are shown. */
const draft = signal<CallDraft>({ message: '', model: '', key: '', isStream: true })

/** The models and keys that the scenario suggests. */
const suggested = signal({ models: [] as string[], keys: [] as string[], exampleKey: 'sk-test' })

/** The draft with empty fields filled in, and the body to send. */
export function completeDraft(): CallDraft & { readonly body: JsonObject } {
  const { models, exampleKey } = suggested.value
  const { isStream } = draft.value
  const message = draft.value.message || 'Hello!'
  const model = draft.value.model || (models[0] ?? 'echo-1')
  const body = { model, messages: [{ role: 'user', content: message }], ...(isStream && { stream: true }) }
  return { message, model, key: draft.value.key || exampleKey, isStream, body }
}

export function TryForm(): JSX.Element {
  useEffect(
    () =>
      act(async () => {
        const { exampleKey, source } = await api.read<{
          readonly exampleKey: string
          readonly source: { readonly keys?: object; readonly models?: object }
        }>('/scenario')
        const namesOf = (map: object = {}) => Object.keys(map).filter((name) => !name.includes('*'))
        suggested.value = { models: namesOf(source.models), keys: namesOf(source.keys), exampleKey }
      }),
    [status.value?.revision],
  )
  const { message, model, key, isStream } = draft.value
  const filled = completeDraft()
  const change = (changed: Partial<CallDraft>): void => {
    draft.value = { ...draft.value, ...changed }
  }
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
      <SuggestedField
        id="try-model"
        label="Model"
        placeholder={filled.model}
        value={model}
        options={suggested.value.models}
        onChange={(changed) => change({ model: changed })}
      />
      <SuggestedField
        id="try-key"
        label="Key"
        placeholder={filled.key}
        value={key}
        options={suggested.value.keys}
        onChange={(changed) => change({ key: changed })}
      />
      <p class="try-actions">
        <label>
          <input
            type="checkbox"
            checked={isStream}
            onChange={({ currentTarget }) => change({ isStream: currentTarget.checked })}
          />{' '}
          Stream
        </label>
        <button type="submit" class="main">
          Send
        </button>
      </p>
    </form>
  )
}

interface SuggestedProps {
  readonly id: string
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly options: readonly string[]
  readonly onChange: (value: string) => void
}

/** A text field that suggests values. */
const SuggestedField = ({ id, label, placeholder, value, options, onChange }: SuggestedProps): JSX.Element => (
  <p>
    <label for={id}>{label}</label>
    <TextField
      id={id}
      list={`${id}s`}
      placeholder={placeholder}
      value={value}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
    <datalist id={`${id}s`}>
      {options.map((option) => (
        <option key={option} value={option} />
      ))}
    </datalist>
  </p>
)
