/** The view to try the mock: a form, the answer, and the same call as code. */
import { signal } from '@preact/signals'
import { copyText } from '../app/dialogs.tsx'
import { act, calls } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { formatCurl, formatPython, formatTypeScript } from '../call/snippets.ts'
import { Button } from '../parts/elements.tsx'
import { formatMs, statusKind } from '../parts/format.ts'
import { Tabs } from '../parts/tabs.tsx'
import { readShown, stop, tried } from './tried-call.ts'
import { CHAT_PATH, completeDraft, TryForm } from './try-form.tsx'

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
          <Button text="Copy" onClick={() => act(() => copyText(code, `Copied as ${title}.`))} />
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
