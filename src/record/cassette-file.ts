/** The file of a cassette: always complete, and never overwritten by accident. */
import { randomBytes } from 'node:crypto'
import { unlinkSync } from 'node:fs'
import { access, constants, copyFile, link, readdir, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Age from which a temporary file is of a process that was killed: a write takes seconds. */
const MAX_WRITE_MS = 60_000

export class CassetteFile {
  readonly path: string
  /** True if an existing file may be overwritten. */
  #mayReplace: boolean
  #saving: Promise<void> = Promise.resolve()
  #waiting: (() => string) | undefined

  private constructor(path: string, mayReplace: boolean) {
    this.path = path
    this.#mayReplace = mayReplace
  }

  /**
   * Checks that the file can be written.
   * @throws when it exists and must not be replaced, or when its folder is not writable.
   */
  static async open(path: string, mayReplace: boolean): Promise<CassetteFile> {
    const failure = `Failed to write '${path}'`
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory()) throw new Error(`${failure}: it is a folder. Choose a file name.`)
    const folder = dirname(path)
    if (/[\\/]$/.test(path) || (await stat(folder).catch(() => undefined))?.isDirectory() === false)
      throw new Error(`${failure}: expected the path of a file in a folder.`)
    await access(folder, constants.W_OK).catch(({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'ENOENT' ? `the folder '${folder}' does not exist. Create it first.` : `${message}.`
      throw new Error(`${failure}: ${reason}`)
    })
    if (found !== undefined && !mayReplace) throw exists(path)
    await removeTemporaries(path)
    return new CassetteFile(path, mayReplace)
  }

  /** Writes the file; resolves when it is on disk. While one write is under way, further calls share the next one. */
  save(text: () => string): Promise<void> {
    const isQueued = this.#waiting !== undefined
    this.#waiting = text
    if (!isQueued) {
      const writeNewest = (): Promise<void> => {
        const newest = this.#waiting!
        this.#waiting = undefined
        return this.#write(newest())
      }
      this.#saving = this.#saving.then(writeNewest, writeNewest)
    }
    return this.#saving
  }

  /** Writes a temporary file and moves it into place, so that a reader sees the old text or the new one. */
  async #write(text: string): Promise<void> {
    const temporary = `${this.path}.${randomBytes(6).toString('hex')}.tmp`
    const removeAtExit = (): void => {
      try {
        unlinkSync(temporary)
      } catch {}
    }
    process.once('exit', removeAtExit)
    try {
      await writeFile(temporary, text, { flag: 'wx' })
      if (this.#mayReplace) {
        await rename(temporary, this.path)
        return
      }
      // Unlike a rename, a link fails if the file exists, and so does this copy on disks without links.
      await link(temporary, this.path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw exists(this.path)
        return copyFile(temporary, this.path, constants.COPYFILE_EXCL)
      })
      this.#mayReplace = true
    } finally {
      process.off('exit', removeAtExit)
      await unlink(temporary).catch(() => {})
    }
  }
}

/** Removes the temporary files of a path that processes left when they were killed. */
async function removeTemporaries(path: string): Promise<void> {
  const folder = dirname(path)
  const start = `${basename(path)}.`
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(start) || !/^[0-9a-f]{12}\.tmp$/.test(name.slice(start.length))) continue
    const temporary = join(folder, name)
    const { mtimeMs } = (await stat(temporary).catch(() => undefined)) ?? {}
    if (mtimeMs !== undefined && Date.now() - mtimeMs > MAX_WRITE_MS) await unlink(temporary).catch(() => {})
  }
}

const exists = (path: string): Error =>
  new Error(`Failed to write '${path}': it already exists. Choose another name, or overwrite it with --force.`)
