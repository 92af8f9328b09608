/** The view to try the mock: a form, the answer, and the same call as code. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { copyText } from '../app/dialogs.tsx'
import { act } from '../app/page-state.ts'
import { formatCurl, formatPython, formatTypeScript } from '../call/snippets.ts'
import { Tabs } from '../parts/tabs.tsx'
import { CHAT_PATH, complete, draft, TryAnswer, TryForm, toBody } from './try-form.tsx'

const LANGUAGES = [
  { name: 'curl', title: 'curl', format: formatCurl },
  { name: 'python', title: 'Python', format: formatPython },
  { name: 'typescript', title: 'TypeScript', format: formatTypeScript },
] as const

const language = signal('curl')

export function TryView(): JSX.Element {
  const { title, format } = LANGUAGES.find(({ name }) => name === language.value) ?? LANGUAGES[0]
  const filled = complete(draft.value)
  const call = { method: 'POST', path: CHAT_PATH, endpoint: 'chat', key: filled.key, body: toBody(filled) } as const
  const snippet = format(call, location.origin, filled.key)
  const code = typeof snippet === 'string' ? snippet : 'text' in snippet ? snippet.text : snippet.impossible
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
          <button type="button" onClick={() => act(() => copyText(code, `Copied as ${title}.`))}>
            Copy
          </button>
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
