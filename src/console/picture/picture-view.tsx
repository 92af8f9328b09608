/** The view of the picture of the run. Its code is loaded when a picture is first shown. */
import { calls, openCall, useLoaded } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { isEmpty, NO_FILTER } from '../calls/list-filter.ts'
import { Button } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import type { RunPictureProps } from './picture-panel.tsx'

export function PictureView() {
  const shown = calls.shown.value
  const all = calls.all.value.length
  return (
    <div class="page">
      <h2 class="unseen">Picture</h2>
      {!isEmpty(calls.filter.value) && (
        <p>
          {shown.length.toLocaleString('en')} of {formatCount(all, 'call')} pass the filter of the{' '}
          <a href={pathTo('calls')}>list of calls</a>.{' '}
          <Button text="Clear filter" onClick={() => (calls.filter.value = NO_FILTER)} />
        </p>
      )}
      {shown.length === 0 ? (
        <p class="empty">
          {all === 0 ? 'No calls yet. They appear here as they happen.' : 'No call matches the filter.'}
        </p>
      ) : (
        <LazyPicture calls={shown} onOpen={openCall} />
      )}
    </div>
  )
}

/** The picture, as soon as its code is loaded. */
export function LazyPicture(props: RunPictureProps) {
  const code = useLoaded(() => import('./picture-panel.tsx'), [])
  return code === undefined ? <p class="empty">Loading the picture.</p> : <code.RunPicture {...props} />
}
