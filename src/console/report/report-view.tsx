/** The view of a report file, as `api-mock run` or `api-mock hunt` wrote it, and the report of a hunt. The file stays in the browser. */
import { signal } from '@preact/signals'
import { useErrorBoundary } from 'preact/hooks'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import type { ClientReport } from '../../core/report/client-report.ts'
import type { DrawnCall } from '../../core/report/run-picture.ts'
import { CopyButton, say } from '../app/messages.tsx'
import { Paragraphs, Section, Table } from '../parts/elements.tsx'
import { formatCount } from '../parts/format.ts'
import { LazyPicture } from '../picture/picture-view.tsx'
import { RunDetails } from './run-details.tsx'

const MAX_BYTES = 20_000_000
const EXPECTED = 'Expected the report of api-mock run or hunt with --report json --report-file <file>'

/** The parts of the report of a hunt that are shown. */
interface HuntReport {
  readonly command: readonly string[]
  readonly scenario: string
  readonly runs: number
  readonly stoppedBy?: string
  /** Sets of faults under which the command failed, with the last lines of its output, and tokens for `--replay`. */
  readonly failures: readonly (Readonly<Record<'size' | 'error', string>> &
    Readonly<Record<'faults' | 'output' | 'tokens', readonly string[]>> & {
      readonly file?: string
      readonly drawnCalls?: readonly DrawnCall[]
    })[]
  readonly table: {
    readonly classes: readonly string[]
    readonly rows: readonly { readonly label: string; readonly cells: readonly { readonly outcome: string }[] }[]
  }
  readonly warnings: readonly string[]
}

type Report = { readonly run: ClientReport } | { readonly hunt: HuntReport }

/** A report of either kind; undefined for anything else. Only its outline is checked: a file of this form may still be broken. */
export function readReport(text: string): Report | undefined {
  const value = parseJson(text)
  if (!isObject(value)) return undefined
  const { findings, coverage, misses, failures, table } = value
  if (Array.isArray(failures) && isObject(table)) return { hunt: value as unknown as HuntReport }
  const isRun = [findings, coverage, misses].every(Array.isArray)
  return isRun ? { run: value as unknown as ClientReport } : undefined
}

/** The opened file, kept while other views are shown. */
const opened = signal<{ readonly file: File; readonly report: Report }>()

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
      {shown !== undefined && <OpenedReport key={`${shown.file.name} ${shown.file.lastModified}`} {...shown} />}
    </div>
  )
}

async function openFile(file: File | undefined): Promise<void> {
  if (file === undefined) return
  if (file.size > MAX_BYTES) return say(`Expected a file of at most 20 MB, got ${file.name}.`, { isProblem: true })
  const report = readReport(await file.text())
  if (report === undefined) return say(`${file.name}: ${EXPECTED}.`, { isProblem: true })
  opened.value = { file, report }
}

function OpenedReport({ file, report }: NonNullable<typeof opened.value>) {
  const [error] = useErrorBoundary()
  return (
    <>
      <h3>{file.name}</h3>
      {error !== undefined && <p class="note">This file is broken. {EXPECTED}.</p>}
      {error === undefined && ('run' in report ? <RunDetails report={report.run} /> : <HuntDetails {...report.hunt} />)}
    </>
  )
}

function HuntDetails({ command: words, scenario, runs, stoppedBy, failures, table, warnings }: HuntReport) {
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
      {table.rows.length > 0 && <FaultTable {...table} />}
    </>
  )
}

function Failure({ failure, command }: { failure: HuntReport['failures'][number]; command: string }) {
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

/** The classes of the outcomes of cells. */
const BADGES: Readonly<Record<string, string>> = { failed: 'badge bad', flaky: 'badge warn', survived: 'badge good' }

/** The outcome of each class of faults on each call. */
const FaultTable = ({ classes, rows }: HuntReport['table']) => (
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
