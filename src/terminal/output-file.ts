/** Files that a command writes at its end, such as that of `--report-file`: checked before it starts, and written after it. */
import { closeSync, constants, lstatSync, openSync, unlinkSync } from 'node:fs'
import { dirname } from 'node:path'
import { replaceFile } from '../engine/node.ts'

// Without O_NONBLOCK, which Windows lacks, a pipe that nobody reads would block here.
const { O_APPEND, O_CREAT, O_WRONLY, O_NONBLOCK = 0 } = constants
const APPEND = O_APPEND | O_CREAT | O_WRONLY | O_NONBLOCK

/**
 * Checks that a file can be written, before the command runs for nothing.
 * @param content the words for its text in messages; here and below.
 * @throws Error when it cannot be; its message is for the user.
 */
export function checkWritable(file: string, content = 'the report'): void {
  try {
    // A link to a missing file is not new: its file is created here, and the link stays.
    const isNew = lstatSync(file, { throwIfNoEntry: false }) === undefined
    // Opening the file is the only sure check: permissions do not show a full path, a read-only disk or a folder.
    closeSync(openSync(file, APPEND))
    if (isNew) unlinkSync(file)
  } catch (error) {
    throw new Error(problemOf(file, content, error as NodeJS.ErrnoException))
  }
}

/** Writes a report. If that fails, it goes to stderr, so that it is not lost, and false is returned. */
export async function writeReportFile(file: string, text: string, content = 'the report'): Promise<boolean> {
  try {
    await replaceFile(file, `${text}\n`)
    return true
  } catch (error) {
    const problem = problemOf(file, content, error as NodeJS.ErrnoException)
    process.stderr.write(`api-mock: ${problem} This is ${content}:\n${text}\n`)
    return false
  }
}

function problemOf(file: string, content: string, { code, message }: NodeJS.ErrnoException): string {
  const failure = `Failed to write ${content} to '${file}'`
  if (code === 'EISDIR') return `${failure}: it is a folder. Choose a file name.`
  if (code === 'ENOENT') return `${failure}: the folder '${dirname(file)}' does not exist. Create it first.`
  if (code === 'ENXIO') return `${failure}: it is a pipe that nobody reads. Choose a file name.`
  return `${failure}: ${message}.`
}
