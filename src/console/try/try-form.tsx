/** A form that sends a chat to the mock, and shows the answer as it arrives. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { JsonObject } from '../../core/lib/text/json.ts'
import { act, api, calls, status } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { formatMs } from '../parts/format.ts'
import { attempt, readShown, send, stop } from './tried-call.ts'

export const CHAT_PATH = '/v1/chat/completions'

/** What the scenario suggests. */
const known = signal<{
  readonly models: readonly string[]
  readonly keys: readonly string[]
  readonly exampleKey: string
}>({
  models: [],
  keys: [],
  exampleKey: 'sk-test',
})

interface ActiveScenario {
  readonly exampleKey: string
  readonly source: { readonly keys?: object; readonly models?: object }
}

/** The draft with what is left empty filled in. */
export function complete({ message, model, key, isStream }: Draft): Draft {
  const { models, exampleKey } = known.value
  return {
    message: message === '' ? 'Hello!' : message,
    model: model === '' ? (models[0] ?? 'echo-1') : model,
    key: key === '' ? exampleKey : key,
    isStream,
  }
}

export function TryForm(): JSX.Element {
  useEffect(
    () =>
      act(async () => {
        const { exampleKey, source } = await api.read<ActiveScenario>('/scenario')
        const namesOf = (map: object = {}) => Object.keys(map).filter((name) => !name.includes('*'))
        known.value = { models: namesOf(source.models), keys: namesOf(source.keys), exampleKey }
      }),
    [status.value?.revision],
  )
  const { message, model, key, isStream } = draft.value
  const filled = complete(draft.value)
  const change = (changed: Partial<Draft>): void => {
    draft.value = { ...draft.value, ...changed }
  }
  const submit = (event?: Event): void => {
    event?.preventDefault()
    void send(CHAT_PATH, filled.key, toBody(filled), filled.message)
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
      <Suggested
        id="try-model"
        label="Model"
        placeholder={filled.model}
        value={model}
        options={known.value.models}
        onChange={(changed) => change({ model: changed })}
      />
      <Suggested
        id="try-key"
        label="Key"
        placeholder={filled.key}
        value={key}
        options={known.value.keys}
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
function Suggested({ id, label, placeholder, value, options, onChange }: SuggestedProps): JSX.Element {
  return (
    <p>
      <label for={id}>{label}</label>
      <input
        id={id}
        list={`${id}s`}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
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
}

/** The answer to the last call that was tried. */
export function TryAnswer(): JSX.Element | null {
  const current = attempt.value
  if (current === undefined) return null
  const { status: code, body, isDone, firstMs, totalMs, problem, prompt } = current
  const text = readShown(current)
  const call = calls.all.value.findLast((one) => one.prompt === prompt.slice(0, 200))
  const times = [
    ...(firstMs === undefined ? [] : [`first byte after ${formatMs(firstMs)}`]),
    ...(totalMs === undefined ? [] : [`ended after ${formatMs(totalMs)}`]),
  ]
  return (
    <section class="try-answer" aria-labelledby="try-answer-title" aria-busy={!isDone}>
      <h3 id="try-answer-title">
        Answer {code !== 0 && <span class={`status ${code < 400 ? 'good' : code < 500 ? 'warn' : 'bad'}`}>{code}</span>}
      </h3>
      <blockquote class={isDone ? '' : 'arriving'}>{text}</blockquote>
      {problem !== undefined && <p class="try-problem">{problem}</p>}
      <p class="try-facts">
        <span class="hint" role="status">
          {isDone ? times.join(', ') : 'The answer is arriving.'}
        </span>
        {!isDone && (
          <button type="button" onClick={stop}>
            Stop
          </button>
        )}
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

/** An empty text stands for a value that the form suggests. */
export interface Draft {
  readonly message: string
  readonly model: string
  readonly key: string
  readonly isStream: boolean
}

export const draft = signal<Draft>({ message: '', model: '', key: '', isStream: true })

export const toBody = ({ message, model, isStream }: Draft): JsonObject => ({
  model,
  messages: [{ role: 'user', content: message }],
  ...(isStream && { stream: true }),
})
