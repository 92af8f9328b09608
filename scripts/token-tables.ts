/**
 * Makes the token tables from the ranks of gpt-tokenizer: for each encoding a file for Node and a module for pages, in
 * src/core/lib/tokenizer/tables, with links to them in dist/core/lib/tokenizer/tables. Megabytes that are made in a second are
 * not committed, and not stored twice.
 */
import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import cl100kRanks from 'gpt-tokenizer/bpeRanks/cl100k_base'
import o200kRanks from 'gpt-tokenizer/bpeRanks/o200k_base'
import { computeSlots } from '../src/core/lib/tokenizer/token-table.ts'
import { licencesOf } from './licences.ts'

const ranks = { o200k_base: o200kRanks, cl100k_base: cl100kRanks }

const folderIn = (root: string): string =>
  fileURLToPath(new URL(`../${root}/core/lib/tokenizer/tables/`, import.meta.url))
const folder = folderIn('src')

/** Writes the tables into the folder of the sources. */
export function writeTokenTables(): void {
  mkdirSync(folder, { recursive: true })
  for (const [encoding, tokens] of Object.entries(ranks)) {
    const packed = Buffer.concat(
      tokens.map((token) => Buffer.from(token)).flatMap((bytes) => [Buffer.of(bytes.length), bytes]),
    )
    write(`${folder}${encoding}.bin`, tableFile(packed))
    write(`${folder}${encoding}.js`, `export default '${packed.toString('base64')}'\n`)
  }
  write(`${folder}LICENSE.txt`, `${licencesOf([createRequire(import.meta.url).resolve('gpt-tokenizer')])}\n`)
}

/** A table with these tokens as a file, in the layout that token-table.ts describes. */
export function tableFile(tokens: Uint8Array): Uint8Array {
  const slots = computeSlots(tokens)
  const file = new Uint8Array(4 + slots.byteLength + tokens.length)
  new Int32Array(file.buffer, 0, 1)[0] = slots.length
  new Int32Array(file.buffer, 4, slots.length).set(slots)
  file.set(tokens, 4 + slots.byteLength)
  return file
}

/** Another process may be reading the file. */
function write(path: string, content: string | Uint8Array): void {
  writeFileSync(`${path}.${process.pid}`, content)
  renameSync(`${path}.${process.pid}`, path)
}

function linkTokenTables(): void {
  const links = folderIn('dist')
  rmSync(links, { recursive: true, force: true })
  mkdirSync(links, { recursive: true })
  for (const file of readdirSync(folder)) linkSync(folder + file, links + file)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeTokenTables()
  linkTokenTables()
}
