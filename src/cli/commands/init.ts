/** `api-mock init`: creates a scenario file to start from, a copy of scenario-template.yaml. */
import { readFile, writeFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { shellWord } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'

/**
 * A line that begins with `#` and no space is a commented example: without its `#` it must be valid too, which a test
 * checks. The build copies the file.
 */
const TEMPLATE = new URL('../scenario-template.yaml', import.meta.url)
const SCHEMA = 'node_modules/llm-api-mock/scenario.schema.json'

/** @throws when the file exists or cannot be written. */
export async function init(file: string): Promise<number> {
  if (!/\.ya?ml$/i.test(file)) {
    throw new UsageError(`Expected a file name that ends in .yaml or .yml, got '${file}'.`)
  }
  const shown = shellWord(file)
  // Editors resolve the schema from the file's own folder.
  const path = relative(dirname(file), SCHEMA).split(sep).join('/')
  const schema = path.startsWith('.') ? path : `./${path}`
  const template = await readFile(TEMPLATE, 'utf8')
  const text = template
    .replace('../../scenario.schema.json', () => schema)
    .replaceAll(/(?<=--scenario |check )scenario\.yaml/g, () => shown)
  try {
    // 'wx' fails when the file exists, also when it appears at this very moment.
    await writeFile(file, text, { flag: 'wx' })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    let reason = message
    if (code === 'EEXIST') reason = 'it already exists. Choose another name: api-mock init other.yaml'
    if (code === 'ENOENT') reason = `the folder '${dirname(file)}' does not exist. Create it first.`
    throw new Error(`Failed to create '${file}': ${reason}`)
  }
  process.stdout.write(`Created ${file}
Run it:    npx api-mock --scenario ${shown}
Check it:  npx api-mock check ${shown}
`)
  return 0
}
