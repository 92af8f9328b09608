/** What the list shows before the first call: where to send calls, and a form to try one. */
import type { JSX } from 'preact'
import { TryForm } from '../try/try-form.tsx'

export function NoCalls(): JSX.Element {
  return (
    <div class="empty">
      <p>
        No calls yet. Point a client at <code>{location.origin}/v1</code>, and they appear here. Or send one:
      </p>
      <TryForm />
    </div>
  )
}
