/** The form of a call to try: a message with what else a request may have, or in its place the whole body as JSON. */
import { signal } from '@preact/signals'
import { api } from '../app/control-api.ts'
import { status, useAct } from '../app/page-state.ts'
import { Button, Paragraphs, Select, TextField } from '../parts/elements.tsx'
import { send } from './tried-call.ts'
import { buildRequest, EMPTY_DRAFT, PATHS, type TriedRequest, type TryDraft } from './try-draft.ts'

/** The call in the form, kept while other views are shown. */
const draft = signal(EMPTY_DRAFT)

/** The names of the models and keys of the scenario. */
const suggested = signal({ models: [] as string[], keys: [] as string[] })

/** The request in the form. */
export function draftRequest(): TriedRequest {
  const [model = 'echo-1'] = suggested.value.models
  return buildRequest(draft.value, { model, key: status.value?.exampleKey ?? 'sk-test' })
}

async function loadSuggestions(): Promise<void> {
  const { source } = await api.read<{ source: { keys?: object; models?: object } }>('/scenario')
  const namesOf = (map: object = {}) => Object.keys(map).filter((name) => !name.includes('*'))
  suggested.value = { models: namesOf(source.models), keys: namesOf(source.keys) }
}

export function TryForm() {
  useAct(loadSuggestions, [status.value?.revision])
  /** True if the body is edited as JSON. The fields that it replaces are hidden, and keep their values. */
  const isRaw = draft.value.raw !== undefined
  const request = draftRequest()
  const readFields = (form: HTMLFormElement): void => {
    const { stream, json, ...texts } = Object.fromEntries(new FormData(form))
    // The field `raw` is there while the body is edited. When JSON is ticked, it begins with the body of the other fields.
    const raw = json === undefined ? undefined : (texts.raw ?? JSON.stringify(request.body, null, 2))
    draft.value = { ...draft.value, ...texts, raw, isStream: stream !== undefined } as TryDraft
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (request.problems.length === 0) void send(request)
  }
  return (
    <form
      class="try-form"
      onSubmit={submit}
      onInput={({ currentTarget }) => readFields(currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      }}
    >
      {isRaw && <TextArea name="raw" label="Body" />}
      <TextArea name="message" label="Message" placeholder="Hello!" hidden={isRaw} />
      <p>
        <label for="try-endpoint">Endpoint</label>
        <Select id="try-endpoint" name="endpoint" value={request.endpoint} options={Object.keys(PATHS)} />
      </p>
      <SuggestedField name="model" label="Model" suggestions={suggested.value.models} hidden={isRaw} />
      <SuggestedField name="key" label="Key" suggestions={suggested.value.keys} />
      <p class="try-actions">
        <label hidden={isRaw}>
          <input type="checkbox" name="stream" checked={draft.value.isStream} /> Stream
        </label>
        <label>
          <input type="checkbox" name="json" checked={isRaw} /> JSON
        </label>
        <Button type="submit" class="main" title="Ctrl+Enter" text="Send" />
      </p>
      <details class="try-more">
        <summary>{isRaw ? 'Headers' : 'System prompt, tools, schema, headers'}</summary>
        <TextArea name="system" label="System prompt" hidden={isRaw} />
        <TextArea name="tools" label="Tools, as JSON" placeholder={TOOLS} hidden={isRaw} />
        <TextArea name="schema" label="JSON Schema of the answer" placeholder={SCHEMA} hidden={isRaw} />
        <TextArea name="headers" label="Headers, one in each line" placeholder="x-mock-fault: rate-limit" />
      </details>
      <Paragraphs class="try-problem" role="status" texts={request.problems} />
    </form>
  )
}

const SCHEMA = '{"type": "object", "properties": {"city": {"type": "string"}}}'
const TOOLS = `[{"name": "get_weather", "parameters": ${SCHEMA}}]`

interface FieldProps<Name extends keyof TryDraft> {
  readonly name: Name
  readonly label: string
  readonly hidden?: boolean
}

type TextAreaProps = FieldProps<'raw' | 'message' | 'system' | 'tools' | 'schema' | 'headers'>

const TextArea = ({ name, label, hidden = false, ...attributes }: TextAreaProps & { placeholder?: string }) => (
  <p class="try-message" hidden={hidden}>
    <label for={`try-${name}`}>{label}</label>
    <textarea
      {...attributes}
      name={name}
      id={`try-${name}`}
      rows={name === 'raw' ? 14 : 3}
      spellcheck={false}
      value={draft.value[name] ?? ''}
    />
  </p>
)

type SuggestedProps = FieldProps<'model' | 'key'> & { readonly suggestions: readonly string[] }

/** A text field that suggests values, and shows the value that it has while it is empty. */
const SuggestedField = ({ name, label, suggestions, hidden = false }: SuggestedProps) => (
  <p hidden={hidden}>
    <label for={`try-${name}`}>{label}</label>
    <TextField
      id={`try-${name}`}
      name={name}
      list={`try-${name}s`}
      placeholder={draftRequest()[name]}
      value={draft.value[name]}
    />
    <datalist id={`try-${name}s`}>
      {suggestions.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  </p>
)
