/** `api-mock init`: creates a scenario file to start from. */
import { writeFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { shellWord } from '../../terminal/text.ts'
import { UsageError } from '../../terminal/usage-error.ts'
import { scenarioTemplate } from '../output/scenario-template.ts'

const SCHEMA = 'node_modules/llm-api-mock/scenario.schema.json'

/** @throws when the file exists or cannot be written. */
export async function init(file: string): Promise<number> {
  if (!/\.ya?ml$/i.test(file)) {
    throw new UsageError(`Expected a file name that ends in .yaml or .yml, got '${file}'.`)
  }
  const shown = shellWord(file)
  try {
    // 'wx' fails when the file exists, also when it appears at this very moment.
    await writeFile(file, scenarioTemplate(schemaSeenFrom(file), shown), { flag: 'wx' })
  } catch (error) {
    throw new Error(`Failed to create '${file}': ${reasonOf(error as NodeJS.ErrnoException, file)}`)
  }
  process.stdout.write(`Created ${file}
Run it:    npx api-mock --scenario ${shown}
Check it:  npx api-mock check ${shown}
`)
  return 0
}

/** Editors resolve the schema from the file's own folder. */
function schemaSeenFrom(file: string): string {
  const path = relative(dirname(file), SCHEMA).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

function reasonOf(error: NodeJS.ErrnoException, file: string): string {
  switch (error.code) {
    case 'EEXIST':
      return 'it already exists. Choose another name: api-mock init other.yaml'
    case 'ENOENT':
      return `the folder '${dirname(file)}' does not exist. Create it first.`
    default:
      return error.message
  }
}
