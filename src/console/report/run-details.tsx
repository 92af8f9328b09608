/** A report of a run: verdicts, client mistakes, and the rules that were never used. */
import { Section, TableHead } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { CacheText, CallText, FindingList } from './finding-list.tsx'
import type { ShownRun } from './read-report.ts'

const BADGES = { PASS: 'badge good', FAIL: 'badge bad', INCONCLUSIVE: 'badge warn' } as const

interface RunProps {
  readonly report: ShownRun
  /** True if the page has the calls of the report. */
  readonly isLinked?: boolean
}

export function RunDetails({ report, isLinked = false }: RunProps) {
  const { calls, findings, expectations, misses, coverage, uncheckedLimits, cache } = report
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
                <span class={BADGES[verdict]}>{verdict}</span> <strong>{name}</strong>: expected {expected}, got {found}
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
          {uncheckedLimits !== null && (
            <p class="note">
              Limits were not checked for {formatCount(uncheckedLimits.calls, 'call')}: {uncheckedLimits.problem}
            </p>
          )}
          <p>
            {coverage.length - unused.length} of {coverage.length} were used or reached.
          </p>
          <table class="coverage">
            <TableHead columns={['Rule', 'Fault', 'Used']} numbers={['Used']} />
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
        </Section>
      )}
      <Section title="Prompt cache">
        <CacheText cache={cache} />
      </Section>
    </>
  )
}
