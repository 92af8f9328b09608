/** The file of a cassette: always complete, and never overwritten by accident. */
import { access, constants, lstat, stat, unlink, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { replaceFile } from '../engine/node.ts'

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

  async #write(text: string): Promise<void> {
    if (this.#mayReplace) {
      // A link is replaced, and the file that it leads to stays as it is.
      const isLink = (await lstat(this.path).catch(() => undefined))?.isSymbolicLink() === true
      if (isLink) await unlink(this.path)
      return replaceFile(this.path, text)
    }
    // A file may have appeared in the meantime.
    await writeFile(this.path, text, { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
      throw error.code === 'EEXIST' ? exists(this.path) : error
    })
    this.#mayReplace = true
  }
}

const exists = (path: string): Error =>
  new Error(`Failed to write '${path}': it already exists. Choose another name, or overwrite it with --force.`)
