/** The form of a call to try: a message with what else a request may have, or in its place the whole body as JSON. */
import { signal } from '@preact/signals'
import { api } from '../app/control-api.ts'
import { status, useAct } from '../app/page-state.ts'
import { Button, Paragraphs, Select, TextField } from '../parts/elements.tsx'
import { send } from './tried-call.ts'
import { buildRequest, EMPTY_DRAFT, PATHS, type TriedRequest, type TryDraft } from './try-draft.ts'

/** The call in the form, kept while other views are shown. */
const draft = signal(EMPTY_DRAFT)

/** The names of the models and keys of the active scenario, loaded with the form. */
const suggested = signal({ models: [] as string[], keys: [] as string[] })

/** The request in the form. */
export function draftRequest(): TriedRequest {
  const [model = 'echo-1'] = suggested.value.models
  return buildRequest(draft.value, { model, key: status.value?.exampleKey ?? 'sk-test' })
}

export function TryForm() {
  useAct(async () => {
    const { source } = await api.read<{ source: { keys?: object; models?: object } }>('/scenario')
    const namesOf = (map: object = {}) => Object.keys(map).filter((name) => !name.includes('*'))
    suggested.value = { models: namesOf(source.models), keys: namesOf(source.keys) }
  }, [status.value?.revision])
  /** True while the body is edited as JSON. The fields that it replaces are hidden, and keep their values. */
  const isRaw = draft.value.raw !== undefined
  const request = draftRequest()
  const { models, keys } = suggested.value
  const updateDraft = (form: HTMLFormElement): void => {
    const { stream, json, raw, ...texts } = Object.fromEntries(new FormData(form))
    // When JSON is ticked, the field `raw` is not there yet: it begins with the body that the other fields make.
    const body = json === undefined ? undefined : (raw ?? JSON.stringify(request.body, null, 2))
    draft.value = { ...draft.value, ...texts, raw: body, isStream: stream !== undefined } as TryDraft
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    if (request.problems.length === 0) void send(request)
  }
  return (
    <form
      class="try-form"
      onSubmit={submit}
      onInput={({ currentTarget }) => updateDraft(currentTarget)}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      }}
    >
      {isRaw && <Field name="raw" label="Body" />}
      <Field name="message" label="Message" placeholder="Hello!" hidden={isRaw} />
      <p>
        <label for="try-endpoint">Endpoint</label>
        <Select id="try-endpoint" name="endpoint" value={request.endpoint} options={Object.keys(PATHS)} />
      </p>
      <Field name="model" label="Model" placeholder={request.model} suggestions={models} hidden={isRaw} />
      <Field name="key" label="Key" placeholder={request.key} suggestions={keys} />
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
        <Field name="system" label="System prompt" hidden={isRaw} />
        <Field name="tools" label="Tools, as JSON" placeholder={TOOLS} hidden={isRaw} />
        <Field name="schema" label="JSON Schema of the answer" placeholder={SCHEMA} hidden={isRaw} />
        <Field name="headers" label="Headers, one in each line" placeholder="x-mock-fault: rate-limit" />
      </details>
      <Paragraphs class="try-problem" role="status" texts={request.problems} />
    </form>
  )
}

/** The suggestions in the empty fields. */
const SCHEMA = '{"type": "object", "properties": {"city": {"type": "string"}}}'
const TOOLS = `[{"name": "get_weather", "parameters": ${SCHEMA}}]`

interface FieldProps {
  readonly name: Exclude<keyof TryDraft, 'isStream' | 'endpoint'>
  readonly label: string
  readonly hidden?: boolean
  readonly placeholder?: string
  /** The values that a field of one line suggests. Default: the field has several lines. */
  readonly suggestions?: readonly string[]
}

/** A field of the draft with its label. */
function Field({ name, label, hidden = false, placeholder = '', suggestions }: FieldProps) {
  const id = `try-${name}`
  const attributes = { id, name, placeholder, value: draft.value[name] ?? '' }
  return (
    <p class={suggestions === undefined ? 'try-message' : ''} hidden={hidden}>
      <label for={id}>{label}</label>
      {suggestions === undefined ? (
        <textarea {...attributes} rows={name === 'raw' ? 14 : 3} spellcheck={false} />
      ) : (
        <>
          <TextField {...attributes} list={`${id}s`} />
          <datalist id={`${id}s`}>
            {suggestions.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        </>
      )}
    </p>
  )
}
