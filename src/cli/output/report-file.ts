/** The file of `--report-file`. */
import { closeSync, existsSync, openSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** @throws when the report could not be written, before the command runs for nothing. */
export function checkWritable(file: string): void {
  try {
    const isNew = !existsSync(file)
    // Opening the file is the only sure check: permissions do not show a full path, a read-only disk or a folder.
    closeSync(openSync(file, 'a'))
    if (isNew) unlinkSync(file)
  } catch (error) {
    throw new Error(reportProblem(file, error as NodeJS.ErrnoException))
  }
}

/** Returns whether the report was written; if not, it goes to stderr, so that it is not lost. */
export function writeReportFile(file: string, text: string): boolean {
  try {
    writeFileSync(file, `${text}\n`)
    return true
  } catch (error) {
    const problem = reportProblem(file, error as NodeJS.ErrnoException)
    process.stderr.write(`api-mock: ${problem} This is the report:\n${text}\n`)
    return false
  }
}

function reportProblem(file: string, { code, message }: NodeJS.ErrnoException): string {
  const failure = `Failed to write the report to '${file}'`
  if (code === 'EISDIR') return `${failure}: it is a folder. Choose a file name.`
  if (code === 'ENOENT') return `${failure}: the folder '${dirname(file)}' does not exist. Create it first.`
  return `${failure}: ${message}.`
}
