/** A report of a hunt: the sets of faults under which the command failed, and the outcome of each class of faults on each call. */
import type { HuntResult } from '../../hunt/node.ts'
import { CopyButton } from '../app/messages.tsx'
import { Paragraphs, Section, Table } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { LazyPicture } from '../picture/picture-view.tsx'

/** The classes of the outcomes of cells. */
const BADGES: Readonly<Record<string, string>> = { failed: 'badge bad', flaky: 'badge warn', survived: 'badge good' }

export function HuntDetails({ command: words, scenario, runs, stoppedBy, failures, table, warnings }: HuntResult) {
  const command = words.join(' ')
  return (
    <>
      <p>
        <code>{command}</code>
        {scenario !== '' && ` with the scenario ${scenario}`}: {formatCount(runs, 'run')} under faults
        {stoppedBy !== undefined && `, stopped by ${stoppedBy} with sets left`}.
      </p>
      <Paragraphs class="hint" texts={warnings} />
      <Section title="Failures">
        {failures.length === 0 && <p>No set of faults broke the command.</p>}
        <ol class="findings">
          {failures.map((failure, index) => (
            <Failure key={index} failure={failure} command={command} />
          ))}
        </ol>
      </Section>
      {table.rows.length > 0 && (
        <Section title="Calls and faults">
          <div class="wide-table" role="region" aria-label="Table of calls and faults" tabIndex={0}>
            <Table
              columns={['Call', ...table.classes]}
              rows={table.rows.map(({ label, cells }) => [
                label,
                ...cells.map(({ outcome }) => <span class={BADGES[outcome] ?? 'hint'}>{outcome}</span>),
              ])}
            />
          </div>
        </Section>
      )}
    </>
  )
}

function Failure({ failure, command }: { failure: HuntResult['failures'][number]; command: string }) {
  const { size, faults, error, output, tokens, file, drawnCalls = [] } = failure
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
      {drawnCalls.length > 0 && (
        <details>
          <summary>Picture of the run</summary>
          <LazyPicture calls={drawnCalls} />
        </details>
      )}
      {file !== undefined && (
        <p class="hint">
          Scenario file: <code>{file}</code>
        </p>
      )}
      {tokens.length > 0 && (
        <CopyButton label="Copy replay command" text={replay} done="Copied the command that replays it." />
      )}
    </li>
  )
}
