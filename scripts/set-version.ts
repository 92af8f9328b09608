/** Writes the version of package.json into the other files that name it. `npm version <new version>` runs it before it commits. */
import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import manifest from '../package.json' with { type: 'json' }
import { VERSIONED_FILES, withVersion } from './release/versions.ts'

for (const file of VERSIONED_FILES) {
  const path = resolve(import.meta.dirname, '..', file)
  writeFileSync(path, withVersion(readFileSync(path, 'utf8'), manifest.version))
}
