/**
 * Makes the token tables from the ranks of gpt-tokenizer: for each encoding a file for Node and a module for pages, in
 * src/core/tokenizer/tables and dist/core/tokenizer/tables. Megabytes that are made in a second are not committed.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import cl100kRanks from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200kRanks from 'gpt-tokenizer/bpeRanks/o200k_base'
import { TokenTable } from '../src/core/tokenizer/token-table.ts'
import { licencesOf } from './licences.ts'

const ranks = { o200k_base: o200kRanks, cl100k_base: cl100kRanks }

/** Writes the tables below `root`, such as `src`. */
export function writeTokenTables(root: string): void {
  const folder = fileURLToPath(new URL(`../${root}/core/tokenizer/tables/`, import.meta.url))
  mkdirSync(folder, { recursive: true })
  for (const [encoding, tokens] of Object.entries(ranks)) {
    const packed = Buffer.concat(
      tokens.map((token) => Buffer.from(token)).flatMap((bytes) => [Buffer.of(bytes.length), bytes]),
    )
    write(`${folder}${encoding}.bin`, new TokenTable(packed).toFile())
    write(`${folder}${encoding}.js`, `export default '${packed.toString('base64')}'\n`)
  }
  write(`${folder}LICENSE.txt`, `${licencesOf([createRequire(import.meta.url).resolve('gpt-tokenizer')])}\n`)
}

/** Another process may be reading the file. */
function write(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.${process.pid}`, content)
  renameSync(`${path}.${process.pid}`, path)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const root of ['src', 'dist']) writeTokenTables(root)
