/** A plugin that imports from the files of a room instead of from its door, so that a chunk holds only what is used. */
import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Plugin } from 'rolldown'

const IMPORT = /^(import|export) (type )?\{([^}]*)\} from '([^']*\/(?:index|node)\.ts)'/gm

export const openDoors: Plugin = {
  name: 'open-doors',
  transform: {
    filter: { id: /[/\\]src[/\\].*\.tsx?$/ },
    handler(code, id) {
      return code.replace(IMPORT, (whole, keyword: string, type = '', names: string, path: string) => {
        const door = resolve(dirname(id), path)
        // The entry points have these names too, and export things of their own.
        if (/[/\\]src[/\\](?:index|node)\.ts$/.test(door)) return whole
        const files = filesBehind(door)
        return split(names)
          .map((name) => `${keyword} ${type}{ ${name} } from '${files.get(plain(name)) ?? path}'`)
          .join('\n')
      })
    },
  },
}

/** The file of each name that a door exports. */
function filesBehind(door: string): ReadonlyMap<string, string> {
  const exported = [...readFileSync(door, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '([^']+)'/gm)]
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
