/** The view to try the mock: a form, the answer, and the same call as code. */

import { signal } from '@preact/signals'
import type { JsonObject } from '../../core/lib/text/json.ts'
import { readTexts } from '../app/control-api.ts'
import { CopyButton } from '../app/messages.tsx'
import { api, calls, status, useAct } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { isEventStream, parseJson, readAnswer } from '../call/read-answer.ts'
import { formatCurl, formatPython, formatTypeScript, type SnippetCall } from '../call/snippets.ts'
import { Button, Checkbox, Select, Tabs, TextField } from '../parts/elements.tsx'
import { formatMs, statusKind } from '../parts/format.ts'

const LANGUAGES = [
  {
    name: 'curl',
    title: 'curl',
    format: (call: SnippetCall, origin: string, own: string) => formatCurl(call, origin, { own }),
  },
  { name: 'python', title: 'Python', format: formatPython },
  { name: 'typescript', title: 'TypeScript', format: formatTypeScript },
] as const

const language = signal('curl')

export function TryView() {
  const { title, format } = LANGUAGES.find(({ name }) => name === language.value) ?? LANGUAGES[0]
  const { key, path, endpoint, body } = completeDraft()
  const code = format({ method: 'POST', path, endpoint, key, body }, location.origin, key)
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
        {!isDone && <Button text="Stop" onClick={() => leaving.abort()} />}
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

/** The endpoints that answer a message, by their names. */
const PATHS = { chat: '/v1/chat/completions', responses: '/v1/responses' } as const
type TriedEndpoint = keyof typeof PATHS

/** The call in the form, kept while other views are shown. An empty text stands for a value that the form suggests. */
const draft = signal({ message: '', model: '', key: '', isStream: true, endpoint: 'chat' as TriedEndpoint })

function change(changed: Partial<typeof draft.value>): void {
  draft.value = { ...draft.value, ...changed }
}

type ScenarioSummary = { exampleKey: string; source: { keys?: object; models?: object } }

/** The models and keys that the scenario suggests. */
const suggested = signal({ models: [] as string[], keys: [] as string[], exampleKey: 'sk-test' })

/** The draft with empty fields filled in, and the body to send. */
function completeDraft() {
  const { models, exampleKey } = suggested.value
  const { isStream, endpoint } = draft.value
  const message = draft.value.message || 'Hello!'
  const model = draft.value.model || (models[0] ?? 'echo-1')
  const asked = endpoint === 'chat' ? { messages: [{ role: 'user', content: message }] } : { input: message }
  const body: JsonObject = { model, ...asked, ...(isStream && { stream: true }) }
  return { message, model, key: draft.value.key || exampleKey, path: PATHS[endpoint], endpoint, body }
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
    void send(filled.path, filled.key, filled.body, filled.message)
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
      <p>
        <label for="try-endpoint">Endpoint</label>
        <Select
          id="try-endpoint"
          value={filled.endpoint}
          options={Object.keys(PATHS)}
          onSelect={(endpoint) => change({ endpoint: endpoint as TriedEndpoint })}
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

/** A call that was tried, and as much of its answer as has arrived. */
interface TriedCall {
  readonly prompt: string
  /** 0 until the head arrives, and for a call without an answer. */
  readonly status: number
  /** The body so far. */
  readonly body: string
  readonly isDone: boolean
  /** The time from sending it to the first and the last byte of the body. */
  readonly firstMs?: number
  readonly totalMs?: number
  /** The reason why it ended early. */
  readonly problem?: string
}

/** The last call that was tried; it goes on while other views are shown. */
const tried = signal<TriedCall>()

let leaving = new AbortController()

async function send(path: string, key: string, body: JsonObject, prompt: string): Promise<void> {
  leaving.abort()
  leaving = new AbortController()
  const { signal } = leaving
  const start = performance.now()
  let current: TriedCall = { prompt, status: 0, body: '', isDone: false }
  const show = (more: Partial<TriedCall>): void => {
    current = { ...current, ...more }
    // A call that was replaced by another one shows nothing more.
    if (leaving.signal === signal) tried.value = current
  }
  show({})
  try {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const response = await fetch(path, { method: 'POST', headers, body: JSON.stringify(body), signal })
    show({ status: response.status })
    for await (const text of readTexts(response.body!)) {
      show({ body: current.body + text, firstMs: current.firstMs ?? performance.now() - start })
    }
    show({ isDone: true, totalMs: performance.now() - start })
  } catch (error) {
    const problem = signal.aborted ? 'You stopped it.' : `The connection broke: ${(error as Error).message}`
    show({ isDone: true, totalMs: performance.now() - start, problem })
  }
}

/** The answer as a client shows it: its text, its tool calls or its error. */
export function readShown({ status, body }: Pick<TriedCall, 'status' | 'body'>): string {
  if (status >= 400) {
    const { error } = (parseJson(body) ?? {}) as { error?: { message?: unknown } | null }
    return typeof error?.message === 'string' ? error.message : body
  }
  const answer = readAnswer(body)
  if (answer === undefined) return isEventStream(body) ? '' : body
  const { text, refusal, calls } = answer
  return calls?.map(({ name, input }) => `${name}(${input})`).join('\n') ?? refusal ?? text ?? ''
}
