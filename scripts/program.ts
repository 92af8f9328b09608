/**
 * Bundles the program `api-mock` into dist/cli: `main.js`, the one file `start-*.js` with all that a start needs, and
 * what is loaded later. Node takes longer to find and read a hundred modules than to run them.
 *
 * Most packages stay what they are, imported from node_modules when they are needed.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }
import { licencesOf } from './licences.ts'

const pathTo = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

const MAIN = pathTo('src/cli/main.ts')
/** The program of the processes that `--workers` starts: one file beside the others, with little in it. */
const WORKER = pathTo('src/workers/worker.ts')

/**
 * The packages that are bundled, though they are dependencies: of seedrandom a start needs one file, and a scenario file
 * is read in half the time when zod and yaml come without all that is not used of them. For re2js another stands in.
 */
const BUNDLED = ['seedrandom', 'zod', 'yaml', 're2js']
const left = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)].filter(
  (name) => !BUNDLED.includes(name),
)
// What is no dependency, such as yargs and all it needs, is not there where the package is installed: it is bundled.
const isLeft = (id: string): boolean =>
  id.startsWith('node:') || left.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * What the program loads before it does anything: what it imports, and what that imports without `import()`. Not the
 * program itself: it waits for its work to be done, and what is loaded meanwhile must not wait for it.
 */
const atStart = new Set<string>()
const findStart: Plugin = {
  name: 'find-start',
  buildEnd() {
    const add = (id: string): void => {
      if (atStart.has(id)) return
      atStart.add(id)
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported)
    }
    const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(MAIN) ?? {}
    for (const imported of [...importedIds, ...dynamicallyImportedIds]) add(imported)
  },
}

rmSync(pathTo('dist/cli'), { recursive: true, force: true })
const bundle = await rolldown({
  input: { main: MAIN },
  platform: 'node',
  external: isLeft,
  resolve: {
    alias: {
      re2js: pathTo('scripts/lazy-re2.ts'),
      // Of its two builds the one of ES modules, from which what is not used can be left out.
      yaml: pathTo('node_modules/yaml/browser/index.js'),
    },
  },
  plugins: [findStart],
})
const { output } = await bundle.write({
  dir: pathTo('dist/cli'),
  chunkFileNames: '[name]-[hash].js',
  comments: false,
  codeSplitting: { groups: [{ name: 'start', test: (id) => atStart.has(id) }] },
})

const isExpected = (id: string): boolean =>
  id.startsWith('node:') ||
  id.startsWith(pathTo('src')) ||
  id === pathTo('scripts/lazy-re2.ts') ||
  /[/\\]node_modules[/\\]seedrandom[/\\]/.test(id)
const slow = [...atStart].filter((id) => !isExpected(id))
if (slow.length > 0) {
  throw new Error(`Every start would load ${slow.join(', ')}. Import it where it is needed, with import().`)
}

chmodSync(pathTo('dist/cli/main.js'), 0o755)

const worker = await rolldown({ input: WORKER, platform: 'node' })
await worker.write({ file: pathTo('dist/cli/worker.js'), comments: false })
const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
writeFileSync(pathTo('dist/cli/LICENSES.txt'), `${licencesOf(modules)}\n`)
