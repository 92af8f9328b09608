/** The view of a report file, as `api-mock run` or `api-mock hunt` wrote it. The file stays in the browser. */
import { signal } from '@preact/signals'
import { useErrorBoundary } from 'preact/hooks'
import { isObject, parseJson } from '../../core/lib/text/json.ts'
import type { ClientReport } from '../../core/report/client-report.ts'
import type { HuntResult } from '../../hunt/node.ts'
import { say } from '../app/messages.tsx'
import { HuntDetails } from './hunt-details.tsx'
import { RunDetails } from './run-details.tsx'

const MAX_BYTES = 20_000_000
const EXPECTED = 'Expected the report of api-mock run or hunt with --report json --report-file <file>'

type Report = { readonly run: ClientReport } | { readonly hunt: HuntResult }

/** A report of either kind; undefined for anything else. Only its outline is checked: a file of this form may still be broken. */
export function readReport(text: string): Report | undefined {
  const value = parseJson(text)
  if (!isObject(value)) return undefined
  const { findings, coverage, misses, failures, table } = value
  if (Array.isArray(failures) && isObject(table)) return { hunt: value as unknown as HuntResult }
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
