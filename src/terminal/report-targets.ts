/**
 * The reports of one run: each has a form, and a file unless it is printed to the terminal.
 *
 *     --report text --report junit --report-file out.xml
 *     [{ form: 'text', file: undefined }, { form: 'junit', file: 'out.xml' }]
 */
import { resolve } from 'node:path'
import { checkWritable, writeReportFile } from './output-file.ts'
import { createColors, type Paint, printError } from './text.ts'
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

/**
 * Prints the reports without a file, writes the others, and says where. Returns false if one could not be written.
 * @param stream where reports are printed, in its colours. Default: standard output.
 */
export async function outputReports<Form extends string>(
  targets: readonly ReportTarget<Form>[],
  textOf: (form: Form, paint: Paint) => string | Promise<string>,
  stream: NodeJS.WriteStream = process.stdout,
): Promise<boolean> {
  let isWritten = true
  for (const { form, file } of targets) {
    const text = await textOf(form, file === undefined ? createColors(stream) : (_, plain) => plain)
    if (file === undefined) {
      if (text !== '') stream.write(`${text}\n`)
    } else if (await writeReportFile(file, text)) printError(`api-mock: ${form} report written to ${file}`)
    else isWritten = false
  }
  return isWritten
}
