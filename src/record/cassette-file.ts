/** The file of a cassette: never half written, never written over by accident. */
import { randomBytes } from 'node:crypto'
import { access, constants, copyFile, link, rename, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

export class CassetteFile {
  readonly path: string
  /** Whether a file that was there before is to be written over. */
  #mayReplace: boolean
  #saving: Promise<void> = Promise.resolve()
  #waiting: (() => string) | undefined

  private constructor(path: string, mayReplace: boolean) {
    this.path = path
    this.#mayReplace = mayReplace
  }

  /**
   * Looks whether the file can be written.
   * @throws when it exists already (unless it may be replaced), or its folder can't be written to.
   */
  static async open(path: string, mayReplace: boolean): Promise<CassetteFile> {
    const found = await stat(path).catch(() => undefined)
    if (found?.isDirectory()) throw new Error(`Failed to record to '${path}': it is a folder. Name a file in it.`)
    if (found !== undefined && !mayReplace) throw exists(path)
    await access(dirname(path), constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      const folder = dirname(path)
      const reason = error.code === 'ENOENT' ? `there is no folder '${folder}'. Make it first.` : `${error.message}.`
      throw new Error(`Failed to record to '${path}': ${reason}`)
    })
    return new CassetteFile(path, mayReplace)
  }

  /** Writes what `text` gives then; of calls that come while one writes, the last counts. Resolves when it is on disk. */
  save(text: () => string): Promise<void> {
    const isQueued = this.#waiting !== undefined
    this.#waiting = text
    if (!isQueued) {
      const write = (): Promise<void> => {
        const newest = this.#waiting!
        this.#waiting = undefined
        return this.#write(newest())
      }
      this.#saving = this.#saving.then(write, write)
    }
    return this.#saving
  }

  /** A file beside it first, then in its place at once: who reads it finds the old or the new, and no half. */
  async #write(text: string): Promise<void> {
    const beside = `${this.path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      await writeFile(beside, text, { flag: 'wx' })
      if (this.#mayReplace) {
        await rename(beside, this.path)
        return
      }
      // The first time: unlike a rename, a link fails where a file is; so does this copy, on disks without links.
      await link(beside, this.path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') throw exists(this.path)
        return copyFile(beside, this.path, constants.COPYFILE_EXCL)
      })
      this.#mayReplace = true
    } finally {
      await unlink(beside).catch(() => {})
    }
  }
}

const exists = (path: string): Error =>
  new Error(`Failed to record to '${path}': it exists already. Choose another name, or write over it with --force.`)
