/**
 * Bundles the entry points as CommonJS, in dist/cjs: for Jest, whose `require` takes no ES modules. Node takes the ES
 * modules for `require` too (condition `module-sync`), so a program has one copy of the package.
 *
 * The entry points are those that package.json exports with the condition `require`.
 */
import { writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import manifest from '../package.json' with { type: 'json' }

const pathTo = (path: string): string => fileURLToPath(new URL(`../${path}`, import.meta.url))

const packages = [...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)]
// Node reads token tables from files, so it never imports those modules.
const isExternal = (id: string): boolean =>
  id.includes('/tokenizer/tables/') || packages.some((name) => id === name || id.startsWith(`${name}/`))

/** Writes the CommonJS entry points, their chunks and their types to `folder`. */
export async function bundleEntryPoints(folder: string): Promise<void> {
  const names = Object.values(manifest.exports)
    .filter((entryPoint) => typeof entryPoint === 'object' && 'require' in entryPoint)
    .map((entryPoint) => basename(entryPoint.require.default, '.cjs'))
  const bundle = await rolldown({
    input: Object.fromEntries(names.map((name) => [name, pathTo(`src/${name}.ts`)])),
    platform: 'node',
    external: isExternal,
  })
  await bundle.write({
    dir: folder,
    format: 'cjs',
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
    comments: false,
  })
  for (const name of names) writeFileSync(`${folder}/${name}.d.cts`, `export * from '../${name}.js'\n`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await bundleEntryPoints(pathTo('dist/cjs'))
