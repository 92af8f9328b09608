/** The view to try the mock: a form, the answer and the reason for it, and the same call as code. */
import { signal } from '@preact/signals'
import { CopyButton } from '../app/messages.tsx'
import { calls, useCall } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { describeAnswer, listNotes } from '../call/describe-answer.ts'
import { LANGUAGES } from '../call/snippets.ts'
import { Button, Paragraphs, Section, StatusBadge, Tabs } from '../parts/elements.tsx'
import { formatMs } from '../parts/format.ts'
import { leave, readShown, tried } from './tried-call.ts'
import { draftRequest, TryForm } from './try-form.tsx'

/** The name of the language of the code, kept while other views are shown. */
const language = signal('curl')

export function TryView() {
  const { title, format } = LANGUAGES.find(({ name }) => name === language.value)!
  const request = draftRequest()
  const code = request.body === undefined ? undefined : format(request, location.origin, request.key)
  return (
    <div class="page try">
      <Section level="h2" title="Try it">
        <TryForm />
        <TryAnswer />
      </Section>
      <section class="try-code" aria-labelledby="code-title">
        <div class="try-code-head">
          <h2 id="code-title">The same call as code</h2>
          {code !== undefined && <CopyButton text={code} done={`Copied as ${title}.`} />}
        </div>
        <Tabs label="Language" tabs={LANGUAGES} shown={language.value} onShow={(name) => (language.value = name)}>
          {code === undefined ? (
            <p class="hint">The body is not a JSON object. It can be sent, but there is no code for it.</p>
          ) : (
            <pre>
              <code>{code}</code>
            </pre>
          )}
        </Tabs>
      </section>
    </div>
  )
}

/** The answer to the last call that was tried. */
function TryAnswer() {
  if (tried.value === undefined) return null
  const { traceparent, status, body, isDone, firstMs, totalMs, problem } = tried.value
  const journalCall = calls.all.value.findLast((call) => call.traceparent === traceparent)
  const times = []
  if (firstMs !== undefined) times.push(`first byte after ${formatMs(firstMs)}`)
  if (totalMs !== undefined) times.push(`ended after ${formatMs(totalMs)}`)
  return (
    <Section
      class="try-answer"
      title={<>Answer {status !== 0 && <StatusBadge status={status} />}</>}
      aria-busy={!isDone}
    >
      <blockquote class={isDone ? '' : 'arriving'}>{readShown(tried.value)}</blockquote>
      {problem !== undefined && <p class="try-problem">{problem}</p>}
      <div role="status">
        {journalCall !== undefined && <TriedReason key={journalCall.number} number={journalCall.number} />}
        <p class="hint">{isDone ? times.join(', ') : 'The answer is arriving.'}</p>
      </div>
      {!isDone && <Button text="Stop" onClick={leave} />}
      {isDone && body !== '' && (
        <details>
          <summary>Body</summary>
          <pre>{body}</pre>
        </details>
      )}
    </Section>
  )
}

/** The reason for the answer, as soon as the call has ended. */
function TriedReason({ number }: { number: number }) {
  const { call } = useCall(number)
  if (call === undefined || call.outcome === 'open') return null
  return (
    <>
      <p>
        <a href={pathTo('calls', number)}>Call {number}</a>: {describeAnswer(call)}
      </p>
      <Paragraphs class="note" texts={listNotes(call)} />
    </>
  )
}
