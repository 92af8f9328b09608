/** Replaces the text of a file in one step. */
import { randomBytes } from 'node:crypto'
import { chmod, realpath, rename, stat, unlink, writeFile } from 'node:fs/promises'

/**
 * Writes a temporary file and moves it into place, so that a reader sees the old text or the new one. A link stays a link,
 * and the file keeps its permissions.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const temporary = `${target}.${randomBytes(6).toString('hex')}.tmp`
  const old = await stat(target).catch(() => undefined)
  try {
    await writeFile(temporary, text, { flag: 'wx' })
    if (old !== undefined) await chmod(temporary, old.mode)
    await rename(temporary, target)
  } finally {
    await unlink(temporary).catch(() => {})
  }
}
