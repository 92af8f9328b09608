/** A report of a run: verdicts, client mistakes, and what was never used. */
import type { JSX } from 'preact'
import type { ClientFinding } from '../../core/report/client-findings.ts'
import type { ExpectationResult } from '../../core/report/expectations.ts'
import { formatCount } from '../parts/format.ts'
import { CacheText, CallText, FindingList } from './finding-list.tsx'
import type { RunReport } from './read-report.ts'

export function RunDetails({
  report: { calls, findings, expectations, misses, coverage, uncheckedLimits, cache },
  isLinked = false,
}: {
  report: RunReport
  /** Whether the page has the calls of the report. */
  isLinked?: boolean
}): JSX.Element {
  const unused = coverage.filter(({ count }) => count === 0)
  return (
    <>
      <p>{formatCount(calls, 'call')} checked.</p>
      {expectations.length > 0 && <Expectations results={expectations} />}
      <section aria-labelledby="report-mistakes">
        <h3 id="report-mistakes">Client mistakes</h3>
        <FindingList findings={mistakesFirst(findings)} isLinked={isLinked} />
      </section>
      {misses.length > 0 && (
        <section aria-labelledby="report-misses">
          <h3 id="report-misses">Calls without an answer</h3>
          <ul>
            {misses.map(({ calls: numbers, text }) => (
              <li key={numbers.join()}>
                <CallText text={numbers.map((number) => `#${number}`).join(', ')} isLinked={isLinked} />: {text}
              </li>
            ))}
          </ul>
        </section>
      )}
      {coverage.length > 0 && (
        <section aria-labelledby="report-coverage">
          <h3 id="report-coverage">Rules, faults and limits</h3>
          {uncheckedLimits !== null && (
            <p class="note">
              Limits were not checked for {formatCount(uncheckedLimits.calls, 'call')}: {uncheckedLimits.problem}
            </p>
          )}
          <p>
            {coverage.length - unused.length} of {coverage.length} were used or reached.
          </p>
          <table class="coverage">
            <thead>
              <tr>
                <th scope="col">Rule</th>
                <th scope="col">Fault</th>
                <th scope="col" class="number">
                  Used
                </th>
              </tr>
            </thead>
            <tbody>
              {coverage.map(({ kind, ruleId, fault, count }) => (
                <tr key={ruleId}>
                  <th scope="row">
                    <code>{ruleId}</code>
                  </th>
                  <td>{fault ?? ''}</td>
                  <td class="number">
                    {count === 0 ? (
                      <span class="badge warn">{kind === 'limit' ? 'never reached' : 'never'}</span>
                    ) : (
                      count
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
      <section aria-labelledby="report-cache">
        <h3 id="report-cache">Prompt cache</h3>
        <CacheText cache={cache} />
      </section>
    </>
  )
}

const mistakesFirst = (findings: readonly ClientFinding[]): readonly ClientFinding[] =>
  findings.toSorted((a, b) => Number(b.level === 'mistake') - Number(a.level === 'mistake'))

const BADGES = { PASS: 'badge good', FAIL: 'badge bad', INCONCLUSIVE: 'badge warn' } as const

function Expectations({ results }: { results: readonly ExpectationResult[] }): JSX.Element {
  return (
    <section aria-labelledby="report-expectations">
      <h3 id="report-expectations">Expectations</h3>
      <ul class="findings">
        {results.map(({ name, expected, found, verdict, reason }) => (
          <li key={name}>
            <span class={BADGES[verdict]}>{verdict}</span> <strong>{name}</strong>: expected {expected}, got {found}
            {reason !== undefined && <p class="hint">{reason}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}
