/** What the prompt cache did. */
import type { JSX } from 'preact'
import type { CacheSum } from '../../core/report/client-report.ts'
import { formatCount } from '../parts/format.ts'

export function CacheText({ cache }: { cache: CacheSum | null }): JSX.Element {
  if (cache === null) return <p class="hint">No prompt was long enough to be cached, or the cache is off.</p>
  const { calls, hits, cachedTokens, cacheWriteTokens } = cache
  return (
    <p>
      {hits.toLocaleString('en')} of {formatCount(calls, 'call')} hit it: {formatCount(cachedTokens, 'cached token')},{' '}
      {formatCount(cacheWriteTokens, 'written token')}.
    </p>
  )
}
