/** Makes the token tables that the sources read, where none are as new as what they are made by. */
import { statSync } from 'node:fs'

const lastChange = (path: string): number =>
  statSync(new URL(`../../${path}`, import.meta.url), { throwIfNoEntry: false })?.mtimeMs ?? 0

export default async function setup(): Promise<void> {
  const made = lastChange('src/core/lib/tokenizer/tables/o200k_base.bin')
  if (made > lastChange('src/core/lib/tokenizer/token-table.ts') && made > lastChange('scripts/token-tables.ts')) return
  const { writeTokenTables } = await import('../../scripts/token-tables.ts')
  writeTokenTables()
}
