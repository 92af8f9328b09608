/** The view of a report file, as `api-mock run` or `api-mock hunt` wrote it. The file stays in the browser. */
import { signal } from '@preact/signals'
import { say } from '../app/notices.tsx'
import { HuntDetails } from './hunt-details.tsx'
import { readReportFile, SHORTENED } from './read-report.ts'
import { RunDetails } from './run-details.tsx'

const MAX_BYTES = 20_000_000

/** Kept while other views are shown. */
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
