/** A report of a run: verdicts, client mistakes with the calls that show them, and the rules that were never used. */
import type { ClientFinding } from '../../core/report/client-findings.ts'
import type { CacheSum, ClientReport } from '../../core/report/client-report.ts'
import { pathTo } from '../app/router.ts'
import { Section, Table } from '../parts/elements.tsx'
import { formatCount, formatEnd, formatMs } from '../parts/format.ts'

/** The classes of the verdicts on expectations. */
const VERDICT_CLASSES = { PASS: 'badge good', FAIL: 'badge bad', INCONCLUSIVE: 'badge warn' } as const

/** @param isLinked true if the page has the calls that the report names. Then `#3` is a link, here and in the parts below. */
export function RunDetails({ report, isLinked = false }: { report: ClientReport; isLinked?: boolean }) {
  const { calls, findings, expectations = [], misses, coverage, cache } = report
  const mistakesFirst = findings.toSorted((a, b) => Number(b.level === 'mistake') - Number(a.level === 'mistake'))
  const unused = coverage.filter(({ count }) => count === 0)
  return (
    <>
      <p>{formatCount(calls, 'call')} checked.</p>
      {expectations.length > 0 && (
        <Section title="Expectations">
          <ul class="findings">
            {expectations.map(({ name, expected, found, verdict, reason }) => (
              <li key={name}>
                <span class={VERDICT_CLASSES[verdict]}>{verdict}</span> <strong>{name}</strong>: expected {expected},
                got {found}
                {reason !== undefined && <p class="hint">{reason}</p>}
              </li>
            ))}
          </ul>
        </Section>
      )}
      <Section title="Client mistakes">
        <FindingList findings={mistakesFirst} isLinked={isLinked} />
      </Section>
      {misses.length > 0 && (
        <Section title="Calls without an answer">
          <ul>
            {misses.map(({ calls: numbers, text }) => (
              <li key={numbers.join()}>
                <CallText text={numbers.map((number) => `#${number}`).join(', ')} isLinked={isLinked} />: {text}
              </li>
            ))}
          </ul>
        </Section>
      )}
      {coverage.length > 0 && (
        <Section title="Rules, faults and limits">
          <p>
            {coverage.length - unused.length} of {coverage.length} were used or reached.
          </p>
          <Table class="coverage" columns={['Rule', 'Fault', 'Used']} numbers={[2]} rows={coverage.map(coverageRow)} />
        </Section>
      )}
      <Section title="Prompt cache">
        <CacheText cache={cache} />
      </Section>
    </>
  )
}

/** The rule with its place in the scenario, its fault, and how often it was used. */
function coverageRow({ kind, ruleId, fault, count, line, when }: ClientReport['coverage'][number]) {
  const never = <span class="badge warn">{kind === 'limit' ? 'never reached' : 'never'}</span>
  const place = [line && `line ${line}`, when && `when ${when}`].filter(Boolean).join(', ')
  const rule = [<code>{ruleId}</code>, place !== '' && <span class="hint"> {place}</span>]
  return [rule, fault, count === 0 ? never : count]
}

/** The mistakes and remarks, each with the first calls that show it. */
export function FindingList({ findings, isLinked }: { findings: readonly ClientFinding[]; isLinked: boolean }) {
  if (findings.length === 0) return <p class="hint">No mistakes were found.</p>
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
                  <CallText text={`#${call.number}`} isLinked={isLinked} /> at {formatMs(call.atMs)}:{' '}
                  {call.status === 0 ? 'no answer' : call.status} {call.reason},{' '}
                  {formatEnd(call.outcome, call.durationMs)}
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

/** A text, with its calls as links if the page has them: `#3`. */
function CallText({ text, isLinked }: { text: string; isLinked: boolean }) {
  // With a group in the pattern, every second part is a call.
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

export function CacheText({ cache }: { cache: CacheSum | null | undefined }) {
  if (!cache) return <p class="hint">No prompt was long enough to be cached, or the cache is off.</p>
  const { calls, hits, cachedTokens, cacheWriteTokens } = cache
  return (
    <p>
      {hits.toLocaleString('en')} of {formatCount(calls, 'call')} hit it: {formatCount(cachedTokens, 'cached token')},{' '}
      {formatCount(cacheWriteTokens, 'written token')}.
    </p>
  )
}
