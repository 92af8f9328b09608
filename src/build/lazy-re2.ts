/**
 * The pattern engine re2js for the bundled program, loaded when the first pattern is compiled.
 *
 * The core imports it, as it never waits for anything; a server starts quicker without, and most never see a pattern.
 * Only Node can load a module in the middle of a call, so this is for the program alone.
 */
import { createRequire } from 'node:module'
import type { RE2JS as Engine } from 're2js'

const require = createRequire(import.meta.url)
const engine = (): typeof Engine => (require('re2js') as { RE2JS: typeof Engine }).RE2JS

/** Stands for the class, of which only static members are used. */
export const RE2JS = new Proxy({} as typeof Engine, { get: (_, name) => Reflect.get(engine(), name) })
