/** A report of a hunt: the sets of faults that break the command, and a table of calls and classes of faults. */
import type { JSX } from 'preact'
import { copyText } from '../app/dialogs.tsx'
import { act } from '../app/page-state.ts'
import { formatCount } from '../parts/format.ts'
import type { HuntFailure, HuntReport } from './read-report.ts'

export function HuntDetails({ report }: { report: HuntReport }): JSX.Element {
  const { command, scenario, runs, stoppedBy, failures, warnings } = report
  return (
    <>
      <p>
        <code>{command}</code>
        {scenario !== '' && ` with the scenario ${scenario}`}: {formatCount(runs, 'run')} under faults
        {stoppedBy !== '' && `, stopped by ${stoppedBy} with sets left`}.
      </p>
      {warnings.map((warning) => (
        <p key={warning} class="hint">
          {warning}
        </p>
      ))}
      <section aria-labelledby="hunt-failures">
        <h3 id="hunt-failures">Failures</h3>
        {failures.length === 0 && <p>No set of faults broke the command.</p>}
        <ol class="findings">
          {failures.map((failure, index) => (
            <Failure key={index} failure={failure} command={command} />
          ))}
        </ol>
      </section>
      <Table report={report} />
    </>
  )
}

function Failure({ failure, command }: { failure: HuntFailure; command: string }): JSX.Element {
  const { size, faults, error, output, tokens, files } = failure
  const replay = `npx api-mock hunt --replay ${tokens[0] ?? ''} -- ${command}`
  return (
    <li>
      <p>
        <span class="badge bad">fails</span> <strong>{size}</strong>
      </p>
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
      {error !== '' && <p>{error}</p>}
      {output.length > 0 && (
        <details>
          <summary>Last lines of the output</summary>
          <pre>{output.join('\n')}</pre>
        </details>
      )}
      {files.map((file) => (
        <p key={file} class="hint">
          Scenario file: <code>{file}</code>
        </p>
      ))}
      {tokens.length > 0 && (
        <button type="button" onClick={() => act(() => copyText(replay, 'Copied the command that replays it.'))}>
          Copy replay command
        </button>
      )}
    </li>
  )
}

const BADGES: Readonly<Record<string, string>> = { failed: 'badge bad', flaky: 'badge warn', survived: 'badge good' }

function Table({ report: { classes, rows } }: { report: HuntReport }): JSX.Element | null {
  if (rows.length === 0) return null
  return (
    <section aria-labelledby="hunt-table">
      <h3 id="hunt-table">Calls and faults</h3>
      <div class="wide-table" role="region" aria-label="Table of calls and faults" tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">Call</th>
              {classes.map((name) => (
                <th scope="col" key={name}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ label, outcomes }, index) => (
              <tr key={index}>
                <th scope="row">{label}</th>
                {outcomes.map((outcome, column) => (
                  <td key={column}>
                    <span class={BADGES[outcome] ?? 'hint'}>{outcome}</span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}
