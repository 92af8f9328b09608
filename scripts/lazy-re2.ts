/**
 * The pattern engine re2js for the bundled program, loaded when the first pattern is compiled.
 *
 * The core imports it, as it never waits for anything; a server starts quicker without, and most never see a pattern.
 * Only Node can load a module in the middle of a call, so this is for the program alone.
 */
import type { RE2JS as Engine } from 're2js'

let engine: typeof Engine | undefined

function load(): typeof Engine {
  const { createRequire } = process.getBuiltinModule('node:module')
  const { RE2JS } = createRequire(import.meta.url)('re2js') as { readonly RE2JS: typeof Engine }
  return RE2JS
}

/** Stands for the class, of which only static members are used. */
export const RE2JS = new Proxy({} as typeof Engine, {
  get(_, name) {
    engine ??= load()
    return Reflect.get(engine, name)
  },
})
