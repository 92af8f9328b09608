/** Findings about clients, each with the calls that show it. */
import type { ClientFinding, ShownCall } from '../../core/report/client-findings.ts'
import type { CacheSum } from '../../core/report/client-report.ts'
import { pathTo } from '../app/router.ts'
import { formatCount, formatMs } from '../parts/format.ts'

interface FindingsProps {
  readonly findings: readonly ClientFinding[]
  /** True if the page has these calls. */
  readonly isLinked?: boolean
}

export function FindingList({ findings, isLinked = false }: FindingsProps) {
  if (findings.length === 0) return <p>No mistakes were found.</p>
  return (
    <ul class="findings">
      {findings.map(({ name, level, text, calls, key, method, path, prompt, shown }) => (
        <li key={`${name} ${calls.join()}`}>
          <p>
            <span class={level === 'mistake' ? 'badge bad' : 'badge warn'}>{level}</span> <strong>{name}</strong>{' '}
            <CallText text={text} isLinked={isLinked} />
          </p>
          <p class="hint">
            {[`${method} ${path}`.trim(), prompt, key === '' ? '' : `key ${key}`].filter(Boolean).join(', ')}
          </p>
          {shown.length > 0 && (
            <ol class="shown-calls">
              {shown.map((call) => (
                <li key={call.number}>
                  <CallText text={`#${call.number}`} isLinked={isLinked} /> {describeShown(call)}
                </li>
              ))}
              {calls.length > shown.length && <li>and {calls.length - shown.length} more</li>}
            </ol>
          )}
        </li>
      ))}
    </ul>
  )
}

const ENDS: Readonly<Record<string, string>> = {
  open: 'still open',
  complete: 'ended after',
  cut: 'cut off after',
  'client-left': 'the client left after',
}

function describeShown({ atMs, status, reason, outcome, durationMs }: ShownCall): string {
  const end = ENDS[outcome] ?? outcome
  return `at ${formatMs(atMs)}: ${status === 0 ? 'no answer' : status} ${reason}, ${end}${outcome === 'open' ? '' : ` ${formatMs(durationMs)}`}`
}

/** A text, with its calls as links if the page has them: `#3`. */
export function CallText({ text, isLinked }: { text: string; isLinked: boolean }) {
  const parts = isLinked ? text.split(/(#\d+)/) : [text]
  return (
    <>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          <a key={index} href={pathTo('calls', part.slice(1))}>
            {part}
          </a>
        ) : (
          part
        ),
      )}
    </>
  )
}

export function CacheText({ cache }: { cache: CacheSum | null }) {
  if (cache === null) return <p class="hint">No prompt was long enough to be cached, or the cache is off.</p>
  const { calls, hits, cachedTokens, cacheWriteTokens } = cache
  return (
    <p>
      {hits.toLocaleString('en')} of {formatCount(calls, 'call')} hit it: {formatCount(cachedTokens, 'cached token')},{' '}
      {formatCount(cacheWriteTokens, 'written token')}.
    </p>
  )
}
