/** Replaces the text of a file in one step. */
import { randomBytes } from 'node:crypto'
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Writes a temporary file and moves it into place: a reader sees the old text or the new one, also if the process is killed
 * meanwhile. A link stays a link, and the file keeps its permissions.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const found = await stat(path).catch(() => undefined)
  // A device, such as /dev/stdout, stays what it is.
  if (found?.isFile() === false) return writeFile(path, text)
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
