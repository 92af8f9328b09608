/** `api-mock init`: a scenario file to begin with. */
import { writeFile } from 'node:fs/promises'
import { dirname, relative, sep } from 'node:path'
import { UsageError } from '../args/usage-error.ts'
import { quoted } from '../output/example-call.ts'
import { scenarioTemplate } from '../output/scenario-template.ts'

const SCHEMA = 'node_modules/llm-api-mock/scenario.schema.json'

/** @throws when the file exists, or can't be written. */
export async function init(file: string): Promise<void> {
  if (!/\.ya?ml$/i.test(file)) {
    throw new UsageError(`init writes YAML: found '${file}', allowed is a name that ends in .yaml or .yml.`)
  }
  const shown = /^[\w./-]+$/.test(file) ? file : quoted(file)
  try {
    // 'wx' fails on a file that exists, with no gap between looking and writing.
    await writeFile(file, scenarioTemplate(schemaSeenFrom(file), shown), { flag: 'wx' })
  } catch (error) {
    throw new Error(writeProblem(error as NodeJS.ErrnoException, file))
  }
  process.stdout.write(`Wrote ${file}
Run it:    npx api-mock --scenario ${shown}
Check it:  npx api-mock check ${shown}
`)
}

/** Editors look for the schema from the file's own folder. */
function schemaSeenFrom(file: string): string {
  const path = relative(dirname(file), SCHEMA).split(sep).join('/')
  return path.startsWith('.') ? path : `./${path}`
}

function writeProblem(error: NodeJS.ErrnoException, file: string): string {
  switch (error.code) {
    case 'EEXIST':
      return `'${file}' exists already, and was left as it is. Name another file: api-mock init other.yaml`
    case 'ENOENT':
      return `Failed to write '${file}': there is no folder '${dirname(file)}'. Make it first.`
    default:
      return `Failed to write '${file}': ${error.message}`
  }
}
