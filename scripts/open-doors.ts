/**
 * Imports from the files of a room instead of from its door, so that a chunk holds only what is used, and the published types
 * reach only what users need.
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'rolldown'

const IMPORT = /^(import|export) (type )?\{([^}]*)\} from '([^']*\/(?:index|node)\.(?:js|ts))'/gm

/** The plugin for bundles. */
export const openDoors: Plugin = {
  name: 'open-doors',
  transform: { filter: { id: /[/\\]src[/\\].*\.tsx?$/ }, handler: (code, id) => withoutDoors(code, id) },
}

/** A module, or the types of one, with imports of files instead of doors. @param path where the module is. */
export function withoutDoors(code: string, path: string): string {
  return code.replace(IMPORT, (whole, keyword: string, type = '', names: string, imported: string) => {
    const door = resolve(dirname(path), imported)
    // The entry points have these names too, and export things of their own.
    if (/[/\\](?:src|dist)[/\\](?:index|node)\.[jt]s$/.test(door)) return whole
    const files = filesBehind(door)
    return split(names)
      .map((name) => `${keyword} ${type}{ ${name} } from '${files.get(plain(name)) ?? imported}'`)
      .join('\n')
  })
}

/** The file of each name that a door exports. */
function filesBehind(door: string): ReadonlyMap<string, string> {
  const file = existsSync(door) ? door : door.replace(/\.[jt]s$/, '.d.ts')
  const exported = [...readFileSync(file, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)]
  return new Map(
    exported.flatMap(([, names = '', path = '']) =>
      split(names).map((name) => [plain(name), resolve(dirname(door), path)] as const),
    ),
  )
}

const split = (names: string): string[] =>
  names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
const plain = (name: string): string => name.replace(/^type /, '').replace(/ as .*/, '')
