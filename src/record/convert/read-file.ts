/** Reads a file to convert: JSON, or YAML 1.1 as Python writes it. */
import { readFile, stat } from 'node:fs/promises'
import { parseDocument } from 'yaml'
import { parseJson } from '../../core/lib/text/json.ts'
import { ConvertError } from './conversion.ts'

const MAX_FILE_BYTES = 100_000_000
// Python writes an alias for each list that it has met before, such as those of equal headers.
const MAX_ALIASES = 100_000

/** @throws ConvertError when it cannot be read. */
export async function readDataFile(path: string): Promise<unknown> {
  const failure = `Failed to convert '${path}'`
  const status = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw new ConvertError(`${failure}: ${error.code === 'ENOENT' ? 'there is no such file.' : `${error.message}.`}`)
  })
  if (!status.isFile()) throw new ConvertError(`${failure}: it is not a plain file.`)
  if (status.size > MAX_FILE_BYTES)
    throw new ConvertError(`${failure}: expected at most ${MAX_FILE_BYTES} bytes, got ${status.size}.`)
  const text = (await readFile(path, 'utf8')).replace(/^\ufeff/, '')
  const json = parseJson(text)
  return json === undefined ? readYaml11(text, failure) : json
}

function readYaml11(text: string, failure: string): unknown {
  const document = parseDocument(text, { version: '1.1', uniqueKeys: false, logLevel: 'silent', prettyErrors: true })
  const [problem] = document.errors
  if (problem !== undefined) {
    const { line, col } = problem.linePos?.[0] ?? { line: 1, col: 1 }
    const [reason] = problem.message.split(/ at line |\n/)
    throw new ConvertError(`${failure}: it is neither JSON nor YAML: line ${line}, column ${col}: ${reason}.`)
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw new ConvertError(`${failure}: ${(error as Error).message}.`)
  }
}
