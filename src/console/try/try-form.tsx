/** The form of a call to try: its message or the whole body, and what else a request may have. */
import { signal } from '@preact/signals'
import { useId } from 'preact/hooks'
import { api, status, useAct } from '../app/page-state.ts'
import { Checkbox, Select, TextField } from '../parts/elements.tsx'
import { send } from './tried-call.ts'
import { buildRequest, EMPTY_DRAFT, PATHS, type TriedEndpoint, type TriedRequest, type TryDraft } from './try-draft.ts'

/** The call in the form, kept while other views are shown. */
const draft = signal(EMPTY_DRAFT)

function change(changed: Partial<TryDraft>): void {
  draft.value = { ...draft.value, ...changed }
}

/** The names of the models and keys of the scenario. */
const suggested = signal({ models: [] as string[], keys: [] as string[] })

/** The request in the form. */
export const draftRequest = (): TriedRequest => {
  const [model = 'echo-1'] = suggested.value.models
  return buildRequest(draft.value, { model, key: status.value?.exampleKey ?? 'sk-test' })
}

type ScenarioSummary = { source: { keys?: object; models?: object } }

export function TryForm() {
  useAct(async () => {
    const { source } = await api.read<ScenarioSummary>('/scenario')
    const namesOf = (map: object = {}) => Object.keys(map).filter((name) => !name.includes('*'))
    suggested.value = { models: namesOf(source.models), keys: namesOf(source.keys) }
  }, [status.value?.revision])
  const { message, isStream, raw } = draft.value
  const filled = draftRequest()
  const isRaw = raw !== undefined
  const submit = (event?: Event): void => {
    event?.preventDefault()
    if (filled.problems.length === 0) void send(filled)
  }
  const asked = isRaw
    ? { label: 'Body', rows: 14, value: raw }
    : { label: 'Message', rows: 3, value: message, placeholder: 'Hello!' }
  const toggleRaw = (checked: boolean): void =>
    change({ raw: checked ? JSON.stringify(filled.body, null, 2) : undefined })
  return (
    <form
      class="try-form"
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      }}
    >
      <TextArea {...asked} onInput={(text) => change(isRaw ? { raw: text } : { message: text })} />
      <p>
        <label for="try-endpoint">Endpoint</label>
        <Select
          id="try-endpoint"
          value={filled.endpoint}
          options={Object.keys(PATHS)}
          onSelect={(endpoint) => change({ endpoint: endpoint as TriedEndpoint })}
        />
      </p>
      {!isRaw && (
        <SuggestedField name="model" label="Model" placeholder={filled.model} options={suggested.value.models} />
      )}
      <SuggestedField name="key" label="Key" placeholder={filled.key} options={suggested.value.keys} />
      <p class="try-actions">
        {!isRaw && <Checkbox label="Stream" checked={isStream} onChange={(checked) => change({ isStream: checked })} />}
        <Checkbox label="JSON" checked={isRaw} onChange={toggleRaw} />
        <button type="submit" class="main" title="Ctrl+Enter">
          Send
        </button>
      </p>
      <details class="try-more">
        <summary>{isRaw ? 'Headers' : 'System prompt, tools, schema, headers'}</summary>
        {FIELDS.filter(({ name }) => !isRaw || name === 'headers').map(({ name, ...field }) => (
          <TextArea
            key={name}
            {...field}
            rows={3}
            value={draft.value[name]}
            onInput={(text) => change({ [name]: text })}
          />
        ))}
      </details>
      {filled.problems.map((problem) => (
        <p key={problem} class="try-problem" role="status">
          {problem}
        </p>
      ))}
    </form>
  )
}

const FIELDS = [
  { name: 'system', label: 'System prompt' },
  {
    name: 'tools',
    label: 'Tools, as JSON',
    placeholder:
      '[{"name": "get_weather", "parameters": {"type": "object", "properties": {"city": {"type": "string"}}}}]',
  },
  {
    name: 'schema',
    label: 'JSON Schema of the answer',
    placeholder: '{"type": "object", "properties": {"city": {"type": "string"}}}',
  },
  { name: 'headers', label: 'Headers, one in each line', placeholder: 'x-mock-fault: rate-limit' },
] as const

interface TextAreaProps {
  readonly label: string
  readonly rows: number
  readonly value: string
  readonly placeholder?: string
  readonly onInput: (text: string) => void
}

function TextArea({ label, onInput, ...attributes }: TextAreaProps) {
  const id = useId()
  return (
    <p class="try-message">
      <label for={id}>{label}</label>
      <textarea
        {...attributes}
        id={id}
        spellcheck={false}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
    </p>
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
