/**
 * Loads heavy modules at the first call of one of their functions, for bundles that run in Node.
 *
 * The core imports them like any other module, because it never waits and a browser cannot load a module in the middle
 * of a call. Node can, with `require`. Jest and Node before 22.12 require no ES modules, so lazy modules are CommonJS.
 */
import { basename, dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'

/**
 * The functions of each lazy module. The classes in their bundle are copies, so nothing may compare what they return or
 * throw with a class.
 */
const LAZY: Readonly<Record<string, readonly string[]>> = {
  'core/scenario/check/check-source.ts': ['checkSource'],
  'core/scenario/compile/pattern.ts': ['compilePattern', 'compileFinder'],
  'core/lib/json-schema/generate/generate-value.ts': ['generateValue'],
  'core/lib/json-schema/validate.ts': ['validate', 'findInvalid'],
  'core/lib/json-schema/regex/compile-re2.ts': ['compileRe2'],
  'core/lib/embeddings/words/known-words.ts': ['commonWeight', 'relationsOf'],
  'limit-store/redis-store.ts': ['createRedisStore'],
}

/**
 * Module of msw's functions. Half the time to load a mock went into the root of msw 2, most of it for GraphQL; its
 * `msw/core/http` takes next to none beside msw/node. msw 3 has no such entry, and a light root.
 */
const MSW = fileURLToPath(new URL('../src/msw/msw-functions.ts', import.meta.url))

/** The msw that `dist/jest.js` has loaded. */
const LOADED_MSW = "globalThis[Symbol.for('llm-api-mock.msw')]"

const lazyMsw = (require: string): string => `
  const load = (path) => ${LOADED_MSW} ?? ${require}(path)
  const loadRoot = () => {
    try {
      return load('msw')
    } catch (cause) {
      const remedy = "Install msw 2 or 3. In Jest with ES modules, import 'llm-api-mock/jest' first."
      throw new Error('msw could not be loaded: ' + cause.message + '\\n' + remedy, { cause })
    }
  }
  const loadHttp = () => {
    try {
      return load('msw/core/http').http
    } catch {
      return loadRoot().http
    }
  }
  export const handleAll = (...values) => loadHttp().all(...values)
  export const getResponse = (...values) => loadRoot().getResponse(...values)
  export const passthrough = () => loadRoot().passthrough()`

/** Code that loads msw at once, for Jest with ES modules: before Node 24.9, it cannot require them. */
export const eagerMsw = `import * as msw from 'msw'\n${LOADED_MSW} = msw\n`

const PREFIX = '\0lazy:'
const lazy = new Map(
  Object.entries(LAZY).map(([path, names]) => [fileURLToPath(new URL(`../src/${path}`, import.meta.url)), names]),
)

/** The lazy modules as inputs of a bundle, by the name of their file. */
export const lazyInputs: Readonly<Record<string, string>> = Object.fromEntries(
  [...lazy.keys()].map((path) => [basename(path, '.ts'), path]),
)

/** Replaces imports of lazy modules by functions that load them, from a folder `lazy` beside that of the chunks. */
export const lazyModules = (format: 'es' | 'cjs'): Plugin => ({
  name: 'lazy-modules',
  resolveId(id, importer) {
    if (importer === undefined || !id.startsWith('.')) return undefined
    const path = resolve(dirname(importer), id)
    return lazy.has(path) || path === MSW ? PREFIX + path : undefined
  },
  load(id) {
    if (!id.startsWith(PREFIX)) return undefined
    const path = id.slice(PREFIX.length)
    if (path === MSW) return lazyMsw(REQUIRE[format])
    const functions = lazy.get(path)!.map((name) => `export const ${name} = (...values) => load().${name}(...values)`)
    return `
      let loaded
      const load = () => (loaded ??= ${REQUIRE[format]}('../lazy/${basename(path, '.ts')}.cjs'))
      ${functions.join('\n')}`
  },
})

// Jest has a `require` of its own, which knows the modules of its tests.
const REQUIRE = { es: "process.getBuiltinModule('node:module').createRequire(import.meta.url)", cjs: 'module.require' }
