/**
 * Bundles the program `api-mock`: `main.js`, `program-*.js` with the command line, `list-*.js` with the catalogues,
 * `start-*.js` with the server, and files for the rest, which load when they are needed.
 * Loading a hundred modules would take Node longer than running them.
 *
 * Most packages are not bundled but imported from node_modules.
 */
import { chmodSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Plugin, rolldown } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }
import { licencesOf } from './licences.ts'

const pathTo = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

const MAIN = pathTo('src/cli/main.ts')

/**
 * Dependencies that are bundled all the same: a start needs one file of seedrandom, and a scenario file is read in half
 * the time when zod and yaml come without their unused parts. re2js is replaced by a lazy stand-in.
 */
const BUNDLED = ['seedrandom', 'zod', 'yaml', 're2js']
const external = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)].filter(
  (name) => !BUNDLED.includes(name),
)
// Everything else is bundled, such as yargs: it is a development dependency, so it is not installed with the package.
const isExternal = (id: string): boolean =>
  id.startsWith('node:') || isTokenModule(id) || external.some((name) => id === name || id.startsWith(`${name}/`))

/** Modules with token tables, which Node reads from files. */
const isTokenModule = (id: string): boolean => id.includes('/tokenizer/tables/')

/** The modules that each of these loads, without what it loads later with `import()`. */
const program = new Set<string>()
const list = new Set<string>()
const start = new Set<string>()
const findModules: Plugin = {
  name: 'find-modules',
  buildEnd() {
    const add = (id: string, modules: Set<string>): void => {
      if (modules.has(id)) return
      modules.add(id)
      for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported, modules)
    }
    add(pathTo('src/cli/program.ts'), program)
    add(pathTo('src/cli/commands/list.ts'), list)
    add(pathTo('src/cli/commands/start.ts'), start)
  },
}

const isSlow = (id: string): boolean =>
  (isExternal(id) && !id.startsWith('node:')) || /[/\\]node_modules[/\\](?:zod|yaml)[/\\]/.test(id)

/** Writes the program and its licences to `folder`, which it empties first. */
export async function bundleProgram(folder: string): Promise<void> {
  rmSync(folder, { recursive: true, force: true })
  const bundle = await rolldown({
    input: { main: MAIN },
    platform: 'node',
    external: isExternal,
    resolve: {
      alias: {
        re2js: pathTo('scripts/lazy-re2.ts'),
        // Its build of ES modules, from which unused code can be dropped.
        yaml: pathTo('node_modules/yaml/browser/index.js'),
      },
    },
    plugins: [findModules],
  })
  const { output } = await bundle.write({
    dir: folder,
    chunkFileNames: '[name]-[hash].js',
    comments: false,
    codeSplitting: {
      groups: [
        { name: 'program', priority: 2, test: (id) => program.has(id) },
        { name: 'list', priority: 1, test: (id) => list.has(id) },
        { name: 'start', test: (id) => start.has(id) },
      ],
    },
  })

  const slow = [...program, ...start].filter(isSlow)
  if (slow.length > 0) {
    throw new Error(`Every start would load ${slow.join(', ')}. Import it where it is needed, with import().`)
  }

  chmodSync(join(folder, 'main.js'), 0o755)

  const modules = output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
  writeFileSync(join(folder, 'LICENSES.txt'), `${licencesOf(modules)}\n`)
}

if (import.meta.filename === process.argv[1]) await bundleProgram(pathTo('dist/cli'))
