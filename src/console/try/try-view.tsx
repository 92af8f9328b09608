/** The view to try the mock: a form, the answer, and the same call as code. */
import { signal } from '@preact/signals'
import type { JSX } from 'preact'
import { copyText } from '../app/dialogs.tsx'
import { act } from '../app/store.ts'
import { formatCurl, formatPython, formatTypeScript } from '../parts/client-code.ts'
import { Tabs } from '../parts/tabs.tsx'
import { draft, toBody } from './draft.ts'
import { baseUrl, complete, TryAnswer, TryForm } from './try-form.tsx'

const LANGUAGES = [
  { name: 'curl', title: 'curl', format: formatCurl },
  { name: 'python', title: 'Python', format: formatPython },
  { name: 'typescript', title: 'TypeScript', format: formatTypeScript },
] as const

const language = signal('curl')

export function TryView(): JSX.Element {
  const { title, format } = LANGUAGES.find(({ name }) => name === language.value) ?? LANGUAGES[0]
  const filled = complete(draft.value)
  const code = format({ baseUrl: baseUrl(), endpoint: 'chat', key: filled.key, body: toBody(filled) })
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
