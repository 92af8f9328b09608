/**
 * The tokenizers of the two encodings, each made once from its table of tokens.
 *
 * Node reads the table of an encoding when a call first needs it, so no call waits. A page cannot read a file: it
 * imports all tables, of which bundlers make chunks, and waits for them before its first call (`loadTokenizers`).
 */

import type { Encoding } from '../core/lib/tokenizer/split-words.ts'
import { TokenTable } from '../core/lib/tokenizer/token-table.ts'
import { createTokenizer, type Tokenizer } from '../core/lib/tokenizer/tokenizer.ts'

/** Node's file system; undefined in a page. */
const fs = globalThis.process?.getBuiltinModule?.('fs')
/** Bundlers take `new URL(…, import.meta.url)` for a file to ship, but only Node reads it. */
const here = import.meta.url

/** The tokenizers so far. `add` fills it. */
const tokenizers = new Map<Encoding, Tokenizer>()
/** The end of the imports of a page; undefined before the first call of `loadTokenizers`. */
let loading: Promise<unknown> | undefined

/** The tokenizer of an encoding. @throws in a page that has not awaited `loadTokenizers`. */
export function tokenizer(encoding: Encoding): Tokenizer {
  const known = tokenizers.get(encoding)
  if (known !== undefined) return known
  if (fs === undefined) throw new Error(`The tokens of ${encoding} are not loaded: a bug in llm-api-mock.`)
  // The path is right from src/engine and dist/engine, and from dist/cli, where bundles have this module.
  const file = fs.readFileSync(new URL(`../core/lib/tokenizer/tables/${encoding}.bin`, here))
  return add(encoding, TokenTable.ofFile(file))
}

/** Resolves when all calls can be decided: in Node at once. */
export function loadTokenizers(): Promise<unknown> {
  if (fs !== undefined) return Promise.resolve()
  const addImported =
    (encoding: Encoding) =>
    ({ default: base64 }: { readonly default: string }): void => {
      add(encoding, new TokenTable(Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))))
    }
  // Bundlers make a chunk only of an import with a literal name.
  loading ??= Promise.all([
    import('../core/lib/tokenizer/tables/o200k_base.js').then(addImported('o200k_base')),
    import('../core/lib/tokenizer/tables/cl100k_base.js').then(addImported('cl100k_base')),
  ])
  return loading
}

function add(encoding: Encoding, table: TokenTable): Tokenizer {
  const added = createTokenizer(encoding, table)
  tokenizers.set(encoding, added)
  return added
}
