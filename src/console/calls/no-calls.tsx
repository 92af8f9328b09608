/** What the list shows before the first call. */
import type { JSX } from 'preact'

export function NoCalls(): JSX.Element {
  return (
    <div class="empty">
      <p>
        No calls yet. Point a client at <code>{location.origin}/v1</code>, and they appear here.
      </p>
    </div>
  )
}
