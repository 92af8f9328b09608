/** Replaces the text of a file in one step, so that no reader sees half of it. */
import { randomBytes } from 'node:crypto'
import { fstatSync, writeSync } from 'node:fs'
import { chmod, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'

/**
 * Writes a temporary file and moves it into place: a reader sees the old text or the new one, also if the process is killed
 * meanwhile. A link stays a link, and the file keeps its permissions.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const existing = await stat(path).catch(() => undefined)
  // A device, such as /dev/stdout, stays what it is.
  if (existing?.isFile() === false) return writeFile(path, text)
  // With > all.txt, /dev/stdout is a file that has the output of a command: it is continued, not replaced.
  const standardStream = [1, 2].find((descriptor) => {
    const { dev, ino } = fstatSync(descriptor)
    return dev === existing?.dev && ino === existing.ino
  })
  if (standardStream !== undefined) return void writeSync(standardStream, text)
  const target = existing === undefined ? path : await realpath(path)
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  try {
    await writeFile(temporary, text, { flag: 'wx' })
    if (existing !== undefined) await chmod(temporary, existing.mode)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    // The file may be writable in a folder that is not.
    if (existing === undefined) throw error
    await writeFile(target, text)
  }
}
