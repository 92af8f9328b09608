/**
 * The reports of one run: each has a form, and a file unless it is printed to the terminal.
 *
 *     --report text --report junit --report-file out.xml
 *     [{ form: 'text', file: undefined }, { form: 'junit', file: 'out.xml' }]
 */
import { resolve } from 'node:path'
import { checkWritable, writeReportFile } from './output-file.ts'
import { printError } from './text.ts'
import { UsageError } from './usage-error.ts'

export interface ReportTarget<Form extends string> {
  readonly form: Form
  readonly file: string | undefined
}

/**
 * Pairs `--report` with `--report-file`, in their order. With fewer files than reports, the first reports have none.
 * @throws UsageError for more files than reports, for the same file twice, and for `html` without a file
 * @throws Error for a file that cannot be written
 */
export function pairReports<Form extends string>(
  forms: readonly Form[],
  files: readonly string[],
): readonly ReportTarget<Form>[] {
  const printedCount = forms.length - files.length
  if (printedCount < 0)
    throw new UsageError(
      `--report-file: expected one --report for each file, got ${forms.length} and ${files.length} files.`,
    )
  // The first reports have a negative index, and so no file.
  const targets = forms.map((form, index) => ({ form, file: files[index - printedCount] }))
  if (targets.some(({ form, file }) => form === 'html' && file === undefined)) {
    const order = files.length === 0 ? '' : '. With fewer files than reports, the first reports have none'
    throw new UsageError(`--report: html needs a file. Add --report-file report.html${order}`)
  }
  const paths = files.map((file) => resolve(file))
  const repeated = files.find((_, index) => paths.indexOf(paths[index]!) < index)
  if (repeated !== undefined)
    throw new UsageError(`--report-file: expected another file for each report, got '${repeated}' twice.`)
  for (const file of files) checkWritable(file)
  return targets
}

/** Writes the reports that have files, and says where. Returns false if one could not be written. */
export async function writeReports<Form extends string>(
  targets: readonly ReportTarget<Form>[],
  textOf: (form: Form) => string | Promise<string>,
): Promise<boolean> {
  let isWritten = true
  for (const { form, file } of targets) {
    if (file === undefined) continue
    if (await writeReportFile(file, await textOf(form))) printError(`api-mock: ${form} report written to ${file}`)
    else isWritten = false
  }
  return isWritten
}
