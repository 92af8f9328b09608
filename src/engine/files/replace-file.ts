/** Replaces the text of a file in one step. */
import { randomBytes } from 'node:crypto'
import { fstatSync, type Stats, writeSync } from 'node:fs'
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Writes a temporary file and moves it into place: a reader sees the old text or the new one, also if the process is killed
 * meanwhile. A link stays a link, and the file keeps its permissions.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  // A device, such as /dev/stdout, stays what it is.
  if (found?.isFile() === false) return writeFile(path, text)
  const stream = [1, 2].find((descriptor) => isSameFile(fstatSync(descriptor), found))
  // With > all.txt, /dev/stdout is a file that has the output of a command: it is continued, not replaced.
  if (stream !== undefined) return void writeSync(stream, text)
  const target = found === undefined ? path : await realpath(path)
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeFile(temporary, text, { flag: 'wx' })
    if (found !== undefined) await chmod(temporary, found.mode)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    // The file may be writable in a folder that is not.
    if (found === undefined) throw error
    await writeFile(target, text)
  }
}

const isSameFile = (one: Stats, other: Stats | undefined): boolean => one.dev === other?.dev && one.ino === other.ino
