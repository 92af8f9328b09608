/** Puts what of the page is no program beside its built programs: tsc takes along nothing but TypeScript. */
import { copyFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folderOf = (path: string): string => fileURLToPath(new URL(`../${path}/console/`, import.meta.url))

for (const file of readdirSync(folderOf('src'))) {
  if (/\.(?:html|css|svg)$/.test(file)) copyFileSync(folderOf('src') + file, folderOf('dist') + file)
}
