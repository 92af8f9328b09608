/** Finds and reads data files: YAML, JSON and HAR. The messages of errors say what was expected. */
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { parseDocument } from 'yaml'
import { parseJson } from '../../core/lib/text/json.ts'

const EXTENSIONS = /\.(?:har|ya?ml|json)$/i

/**
 * The given files, and for each folder those that are found in it: the .har, .yaml, .yml and .json files below it, in the order of their names.
 * @param verb the command in messages
 * @throws Error when a folder has none
 */
export async function findFiles(paths: readonly string[], verb = 'convert') {
  const files: { readonly path: string; readonly isFound: boolean }[] = []
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
    if (!isFolder) {
      files.push({ path, isFound: false })
      continue
    }
    const entries = await readdir(path, { withFileTypes: true, recursive: true })
    const inFolder = entries.filter((entry) => entry.isFile() && EXTENSIONS.test(entry.name))
    if (inFolder.length === 0)
      throw new Error(`Failed to ${verb} '${path}': the folder has no .har, .yaml, .yml or .json file.`)
    const inside = inFolder.map((entry) => join(entry.parentPath, entry.name)).sort()
    files.push(...inside.map((file) => ({ path: file, isFound: true })))
  }
  return files
}

// Python writes an alias for each list that it has met before, such as those of equal headers.
const MAX_ALIASES = 100_000

/** The value in a file of JSON or YAML. @throws Error when it cannot be read. */
export async function readDataFile(path: string): Promise<unknown> {
  const failure = `Failed to convert '${path}'`
  const text = await readPlainFile(path, failure)
  const json = parseJson(text)
  if (json !== undefined) return json
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false, logLevel: 'silent', prettyErrors: true })
  const [problem] = document.errors
  if (problem !== undefined) {
    const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 }
    const [reason] = problem.message.split(/ at line |\n/)
    throw new Error(`${failure}: it is neither JSON nor YAML: line ${line}, column ${col}: ${reason}.`)
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw new Error(`${failure}: ${(error as Error).message}.`)
  }
}

const MAX_FILE_BYTES = 100_000_000

/**
 * The text of a file, without a byte order mark.
 * @throws Error when it cannot be read, or is too large; the message begins with `failure`.
 */
export async function readPlainFile(path: string, failure: string): Promise<string> {
  const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${failure}: ${error.code === 'ENOENT' ? 'there is no such file.' : `${error.message}.`}`)
  })
  if (!status.isFile()) throw new Error(`${failure}: it is not a plain file.`)
  if (status.size > MAX_FILE_BYTES)
    throw new Error(`${failure}: expected at most ${MAX_FILE_BYTES} bytes, got ${status.size}.`)
  return (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
}
