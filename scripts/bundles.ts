/**
 * Bundles what is published, into `dist`: the entry points and the program for Node, which share their chunks; the entry
 * points as CommonJS; those for browsers; and the page of the control plane. Loading hundreds of modules would take longer
 * than running them.
 *
 * Of the packages, only those that bring classes or servers of their own are imported from node_modules.
 */
import { createHash } from 'node:crypto'
import { appendFileSync, chmodSync, copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { type InputOptions, type OutputChunk, type OutputOptions, type Plugin, rolldown } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }
import { eagerMsw, lazyInputs, lazyModules } from './lazy-modules.ts'
import { licencesOf } from './licences.ts'
import { openDoors, withoutDoors } from './open-doors.ts'

const pathTo = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

/** A dependency that is bundled all the same: only one file of it is needed. */
const BUNDLED = 'seedrandom'
const external = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)].filter(
  (name) => name !== BUNDLED,
)
// Everything else is bundled, such as zod and yargs: they are development dependencies.
const isExternal = (id: string): boolean =>
  id.startsWith('node:') || isTokenModule(id) || external.some((name) => id === name || id.startsWith(`${name}/`))

/** Modules with token tables for pages; Node reads them from files. */
const isTokenModule = (id: string): boolean => id.includes('/tokenizer/tables/')

/** Its build of ES modules, from which unused code can be dropped. */
const YAML = { yaml: pathTo('node_modules/yaml/browser/index.js') }

const ENTRY_POINTS = ['index', 'node', 'vitest', 'jest', 'matchers', 'hunt', 'rehearse']
const CHUNKS = 'chunks'
/**
 * Chunks of what is always loaded together. A module of several belongs to the first, so the program is last: a mock must not
 * load it. Its error and the version are a chunk, so that the program does not load the command `run`.
 */
const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'print-lists': ['src/cli/commands/print-lists.ts'],
  mock: [
    'src/engine/mock.ts',
    'src/core/scenario/compile/compile.ts',
    'src/core/scenario/check/prepare-source.ts',
    'src/engine/files/session-scenarios.ts',
  ],
  start: ['src/cli/commands/start.ts'],
  'usage-error': ['src/terminal/usage-error.ts', 'package.json'],
  'run-with-mock': ['src/cli/commands/run-with-mock.ts'],
  program: ['src/cli/program.ts'],
}

/** What a start of the program must not load: packages, and the libraries for scenario files and patterns. */
const isSlow = (id: string): boolean =>
  (isExternal(id) && !id.startsWith('node:') && !isTokenModule(id)) ||
  /[/\\]node_modules[/\\](?:zod|yaml|re2js)[/\\]/.test(id)

/** Bundles for Node: the entry points, the program as `cli/main.js`, and their chunks. Returns the bundled modules. */
export async function bundleForNode(folder: string): Promise<readonly string[]> {
  /** The modules that each group loads, without what it loads later. */
  const loaded = new Map(Object.keys(GROUPS).map((name) => [name, new Set<string>()]))
  const findModules: Plugin = {
    name: 'find-modules',
    buildEnd() {
      const add = (id: string, modules: Set<string>): void => {
        if (modules.has(id)) return
        modules.add(id)
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) add(imported, modules)
      }
      for (const [name, paths] of Object.entries(GROUPS)) for (const path of paths) add(pathTo(path), loaded.get(name)!)
    },
  }
  const chunks = await bundle(
    folder,
    {
      input: {
        ...inputs(ENTRY_POINTS),
        'cli/main': pathTo('src/cli/main.ts'),
        'engine/rehearsal-worker': pathTo('src/engine/rehearsal-worker.ts'),
      },
      platform: 'node',
      resolve: { alias: { ...YAML, 'string-width': pathTo('scripts/text-width.ts') } },
      plugins: [lazyModules('es'), findModules],
    },
    {
      codeSplitting: {
        groups: [...loaded].map(([name, modules], index) => ({
          name,
          // Not below 0, which would be read as the highest.
          priority: loaded.size - index,
          test: (id) => modules.has(id),
        })),
      },
    },
  )
  const slow = [...loaded.values()].flatMap((modules) => [...modules].filter(isSlow))
  if (slow.length > 0) throw new Error(`Every start would load ${slow.join(', ')}. See scripts/lazy-modules.ts.`)
  const misplaced = chunks.find(
    ({ fileName, code }) => !fileName.startsWith(CHUNKS) && code.includes('import.meta.url'),
  )
  if (misplaced !== undefined) throw new Error(`${misplaced.fileName} has a path that is right only in ${CHUNKS}.`)
  appendFileSync(join(folder, 'jest.js'), eagerMsw)
  chmodSync(join(folder, 'cli/main.js'), 0o755)
  copyFileSync(pathTo('src/cli/scenario-template.yaml'), join(folder, 'scenario-template.yaml'))
  // One file: each process of a hunted command loads it.
  const childTime = await bundle(folder, {
    input: { 'hunt/child-time': pathTo('src/play/time/child-time.ts') },
    platform: 'node',
  })
  const lazy = await bundleAsCommonJs(join(folder, 'lazy'), lazyInputs)
  return [...chunks, ...childTime, ...lazy].flatMap(({ moduleIds }) => moduleIds)
}

/**
 * Bundles the entry points as CommonJS, for Jest, whose `require` takes no ES modules. Node takes the ES modules for
 * `require` too (condition `module-sync`), so a program has one copy of the package.
 */
async function bundleForJest(folder: string): Promise<void> {
  const names = ['index', 'node', 'jest', 'matchers', 'hunt', 'rehearse']
  await bundleAsCommonJs(folder, inputs(names))
  for (const name of names) writeFileSync(join(folder, `${name}.d.cts`), `export * from '../${name}.js'\n`)
  for (const file of ['jest-preset.cjs', 'jest-transform.cjs'])
    copyFileSync(pathTo(`src/testing/${file}`), join(folder, file))
}

/** Bundles the entry points for browsers, where nothing is loaded later but the token tables. */
async function bundleForBrowsers(folder: string): Promise<void> {
  const input = { browser: pathTo('src/index.ts'), 'browser-matchers': pathTo('src/matchers.ts') }
  await bundle(folder, { input, platform: 'browser' })
}

/** Lets the types import from files instead of doors. */
function openDoorsOfTypes(folder: string): void {
  for (const path of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    if (!path.endsWith('.d.ts')) continue
    const file = resolve(folder, path)
    const types = readFileSync(file, 'utf8')
    // Paths of this machine become paths from the file.
    const opened = withoutDoors(types, file).replaceAll(`'${folder}/`, `'${relative(dirname(file), folder) || '.'}/`)
    if (opened !== types) writeFileSync(file, opened)
  }
}

/** Deletes the types that no entry point reaches, which are most of what tsc writes. */
function deleteUnreachableTypes(folder: string): void {
  const reached = new Set<string>()
  const visit = (file: string): void => {
    if (reached.has(file)) return
    reached.add(file)
    for (const [, name] of readFileSync(file, 'utf8').matchAll(/\b(?:from|import|import\()\s*['"](\.[^'"]+)['"]/g)) {
      visit(resolve(dirname(file), name!.replace(/\.[jt]s$/, '.d.ts')))
    }
  }
  for (const name of ENTRY_POINTS) visit(resolve(folder, `${name}.d.ts`))
  for (const path of readdirSync(folder, { encoding: 'utf8', recursive: true })) {
    if (path.endsWith('.d.ts') && !reached.has(resolve(folder, path))) rmSync(join(folder, path))
  }
}

const inputs = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, pathTo(`src/${name}.ts`)]))

/** Bundles the page of the control plane as `main.js` and `page.css`, beside its other files. Returns the bundled modules. */
export async function bundlePage(folder: string): Promise<readonly string[]> {
  const chunks = await bundle(
    folder,
    {
      input: { main: pathTo('src/console/mock-page.tsx') },
      platform: 'browser',
    },
    { minify: true },
  )
  await build({ entryPoints: [pathTo('src/console/page.css')], outdir: folder, bundle: true, minify: true })
  for (const file of ['page.html', 'icon.svg']) copyFileSync(pathTo(`src/console/${file}`), join(folder, file))
  await bundleReportPage(folder)
  return chunks.flatMap(({ moduleIds }) => moduleIds)
}

/** The template of `run --report html`, with its code and its styles inside. */
async function bundleReportPage(folder: string): Promise<void> {
  const bundle = await rolldown({ input: pathTo('src/console/report-page.tsx'), platform: 'browser' })
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false })
  const style = readFileSync(join(folder, 'page.css'), 'utf8')
  const script = output[0].code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--')
  const parts: Readonly<Record<string, string>> = {
    '{{style}}': style,
    '{{style-hash}}': hashOf(style),
    '{{script}}': script,
    '{{script-hash}}': hashOf(script),
  }
  const template = readFileSync(pathTo('src/console/report-page.html'), 'utf8')
  writeFileSync(
    join(folder, 'report.html'),
    template.replace(/\{\{(?:style|script)(?:-hash)?\}\}/g, (name) => parts[name]!),
  )
}

/** For the content security policy, which then runs this text only. */
const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`

async function bundleAsCommonJs(folder: string, input: Record<string, string>): Promise<OutputChunk[]> {
  return bundle(
    folder,
    { input, platform: 'node', resolve: { alias: YAML }, plugins: [lazyModules('cjs')] },
    { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' },
  )
}

async function bundle(folder: string, options: InputOptions, how: OutputOptions = {}): Promise<OutputChunk[]> {
  const bundle = await rolldown({ ...options, external: isExternal, plugins: [openDoors, options.plugins] })
  const { output } = await bundle.write({
    dir: folder,
    chunkFileNames: `${CHUNKS}/[name]-[hash].js`,
    comments: false,
    ...how,
  })
  return output.filter((file) => file.type === 'chunk')
}

if (import.meta.filename === process.argv[1] && process.argv[2] === 'page') await bundlePage(pathTo('dist/console'))
else if (import.meta.filename === process.argv[1]) {
  const modules = await bundleForNode(pathTo('dist'))
  await bundleForJest(pathTo('dist/cjs'))
  await bundleForBrowsers(pathTo('dist'))
  const pageModules = await bundlePage(pathTo('dist/console'))
  openDoorsOfTypes(pathTo('dist'))
  deleteUnreachableTypes(pathTo('dist'))
  writeFileSync(pathTo('dist/LICENSES.txt'), `${licencesOf([...modules, ...pageModules])}\n`)
}
