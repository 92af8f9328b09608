/** The view to try the mock: a form, the answer, and the same call as code. */
import { signal } from '@preact/signals'
import type { JsonObject } from '../../core/lib/text/json.ts'
import { CopyButton } from '../app/messages.tsx'
import { api, calls, status, useAct } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { formatCurl, formatPython, formatTypeScript } from '../call/snippets.ts'
import { Button, Checkbox, Tabs, TextField } from '../parts/elements.tsx'
import { formatMs, statusKind } from '../parts/format.ts'
import { readShown, send, stop, tried } from './tried-call.ts'

const LANGUAGES = [
  { name: 'curl', title: 'curl', format: formatCurl },
  { name: 'python', title: 'Python', format: formatPython },
  { name: 'typescript', title: 'TypeScript', format: formatTypeScript },
] as const

const language = signal('curl')

export function TryView() {
  const { title, format } = LANGUAGES.find(({ name }) => name === language.value) ?? LANGUAGES[0]
  const { key, body } = completeDraft()
  const code = format({ method: 'POST', path: CHAT_PATH, endpoint: 'chat', key, body }, location.origin, key)
  return (
    <div class="page try">
      <section aria-labelledby="try-title">
        <h2 id="try-title">Try it</h2>
        <TryForm />
        <TryAnswer />
      </section>
      <section class="try-code" aria-labelledby="code-title">
        <div class="try-code-head">
          <h2 id="code-title">The same call as code</h2>
          <CopyButton text={code} done={`Copied as ${title}.`} />
        </div>
        <Tabs
          label="Language"
          tabs={LANGUAGES}
          shown={language.value}
          onShow={(name) => {
            language.value = name
          }}
        >
          <pre>
            <code>{code}</code>
          </pre>
        </Tabs>
      </section>
    </div>
  )
}

/** The answer to the last call that was tried. */
function TryAnswer() {
  const current = tried.value
  if (current === undefined) return null
  const { status, body, isDone, firstMs, totalMs, problem, prompt } = current
  const call = calls.all.value.findLast((one) => one.prompt === prompt.slice(0, 200))
  const times = [
    ...(firstMs === undefined ? [] : [`first byte after ${formatMs(firstMs)}`]),
    ...(totalMs === undefined ? [] : [`ended after ${formatMs(totalMs)}`]),
  ]
  return (
    <section class="try-answer" aria-labelledby="try-answer-title" aria-busy={!isDone}>
      <h3 id="try-answer-title">
        Answer {status !== 0 && <span class={`status ${statusKind(status)}`}>{status}</span>}
      </h3>
      <blockquote class={isDone ? '' : 'arriving'}>{readShown(current)}</blockquote>
      {problem !== undefined && <p class="try-problem">{problem}</p>}
      <p class="try-facts">
        <span class="hint" role="status">
          {isDone ? times.join(', ') : 'The answer is arriving.'}
        </span>
        {!isDone && <Button text="Stop" onClick={stop} />}
        {call !== undefined && <a href={pathTo('calls', call.number)}>Open call {call.number}</a>}
      </p>
      {isDone && body !== '' && (
        <details>
          <summary>Body</summary>
          <pre>{body}</pre>
        </details>
      )}
    </section>
  )
}

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
