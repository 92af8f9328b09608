/** The view of a report file, as `api-mock run` or `api-mock hunt` wrote it, and the report of a hunt. The file stays in the browser. */
import { signal } from '@preact/signals'
import { CopyButton, say } from '../app/messages.tsx'
import { Paragraphs, Section, Table } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { LazyPicture } from '../picture/picture-view.tsx'
import { readReportFile, SHORTENED, type ShownHunt } from './read-report.ts'
import { RunDetails } from './run-details.tsx'

const MAX_BYTES = 20_000_000

/** The opened file, kept while other views are shown. */
const opened = signal<{
  readonly name: string
  readonly report: Exclude<ReturnType<typeof readReportFile>, { problem: string }>
}>()

export function ReportView() {
  const shown = opened.value
  return (
    <div
      class="page report"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault()
        void openFile(event.dataTransfer?.files[0])
      }}
    >
      <h2>Report of a run or a hunt</h2>
      <p>
        <label for="report-file">Open the file that </label>
        <code>api-mock run --report json --report-file report.json</code> or <code>api-mock hunt</code> wrote, or drop
        it here.
      </p>
      <p>
        <input
          id="report-file"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void openFile(currentTarget.files?.[0])}
        />
      </p>
      {shown !== undefined && (
        <>
          <h3>{shown.name}</h3>
          {shown.report.isShortened && <p class="note">{SHORTENED}</p>}
          {shown.report.kind === 'run' ? <RunDetails report={shown.report} /> : <HuntDetails report={shown.report} />}
        </>
      )}
    </div>
  )
}

async function openFile(file: File | undefined): Promise<void> {
  if (file === undefined) return
  if (file.size > MAX_BYTES) return say(`Expected a file of at most 20 MB, got ${file.name}.`, { isProblem: true })
  const report = readReportFile(await file.text())
  if ('problem' in report) return say(`${file.name}: ${report.problem}`, { isProblem: true })
  opened.value = { name: file.name, report }
}

function HuntDetails({ report }: { report: ShownHunt }) {
  const { scenario, runs, stoppedBy, failures, warnings } = report
  const command = report.command.join(' ')
  return (
    <>
      <p>
        <code>{command}</code>
        {scenario !== '' && ` with the scenario ${scenario}`}: {formatCount(runs, 'run')} under faults
        {stoppedBy !== '' && `, stopped by ${stoppedBy} with sets left`}.
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
      {report.table.rows.length > 0 && <FaultTable table={report.table} />}
    </>
  )
}

function Failure({ failure, command }: { failure: ShownHunt['failures'][number]; command: string }) {
  const { size, faults, error, output, tokens, file, drawnCalls } = failure
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
      {file !== '' && (
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

/** The classes of the outcomes of cells. */
const BADGES: Readonly<Record<string, string>> = { failed: 'badge bad', flaky: 'badge warn', survived: 'badge good' }

/** The outcome of each class of faults on each call. */
const FaultTable = ({ table: { classes, rows } }: Pick<ShownHunt, 'table'>) => (
  <Section title="Calls and faults">
    <div class="wide-table" role="region" aria-label="Table of calls and faults" tabIndex={0}>
      <Table
        columns={['Call', ...classes]}
        rows={rows.map(({ label, cells }) => [
          label,
          ...cells.map(({ outcome }) => <span class={BADGES[outcome] ?? 'hint'}>{outcome}</span>),
        ])}
      />
    </div>
  </Section>
)
