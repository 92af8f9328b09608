/**
 * `--tokens-file`: a file with the tokens and the cost of a run, and lines on the difference to the run before.
 *
 *     api-mock: tokens written to tokens.json: 3 calls, 1,200 prompt tokens, 34 completion tokens, $0.0125 (changed)
 *     api-mock:   checkout.test.ts: +38 % prompt tokens (1,200 to 1,656)
 */
import { readFileSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { describeTokenChanges, formatTokenSum, parseRunTokens, type RunTokens } from '../../core/report/token-sums.ts'
import { checkWritable, writeReportFile } from '../../terminal/output-file.ts'
import { printError } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'

const CONTENT = 'the token report'
const MAX_LINES = 10

/**
 * The tokens of the run before, if there was one.
 * @param reportFiles the other files of the run
 * @throws when the file cannot be written, or is something else: before the command runs for nothing.
 */
export function readTokensFile(file: string, reportFiles: readonly string[]): RunTokens | undefined {
  if (reportFiles.some((other) => resolve(other) === resolve(file)))
    throw new UsageError(`--tokens-file: expected another file than --report-file, got '${file}' twice.`)
  checkWritable(file, CONTENT)
  // Reading a device could block forever.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined
  const text = readFileSync(file, 'utf8')
  const tokens = parseRunTokens(text)
  if (tokens !== undefined || text === '') return tokens
  throw new Error(
    `--tokens-file: expected a file that an earlier run has written, or a new one, got '${file}'. Restore or delete it, or name another file.`,
  )
}

/** Writes the tokens of a run, and prints what has changed. Returns false if they could not be written. */
export async function writeTokensFile(file: string, tokens: RunTokens, before?: RunTokens): Promise<boolean> {
  const isWritten = await writeReportFile(file, JSON.stringify(tokens, null, 2), CONTENT)
  const changes = before === undefined ? [] : describeTokenChanges(before, tokens)
  const comparison = changes.length === 0 ? ' (as before)' : ' (changed)'
  const sum = `${formatTokenSum(tokens.total)}${before === undefined ? '' : comparison}`
  if (isWritten) printError(`api-mock: tokens written to ${file}: ${sum}`)
  for (const line of changes.slice(0, MAX_LINES)) printError(`api-mock:   ${line}`)
  if (changes.length > MAX_LINES) printError(`api-mock:   and ${changes.length - MAX_LINES} more, see ${file}`)
  return isWritten
}
