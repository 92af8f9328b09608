/** The file of a cassette: each write is complete, and no file is overwritten by accident. */
import { randomBytes } from 'node:crypto'
import { access, constants, readdir, rename, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

/** Age from which a temporary file is left over from a process that was killed: a write takes seconds. */
const MAX_WRITE_MS = 60_000

export class CassetteFile {
  readonly path: string
  /** True if an existing file may be overwritten: with --force, and once the file is ours. */
  #mayReplace: boolean
  /** The last write that is under way or waits for it. */
  #lastWrite: Promise<void> = Promise.resolve()
  /** The text for the write that waits; undefined if none does. */
  #waitingText: (() => string) | undefined

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
    const existing = await stat(path).catch(() => undefined)
    if (existing?.isDirectory()) throw new Error(`${failure}: it is a folder. Choose a file name.`)
    const folder = dirname(path)
    if (/[\\/]$/.test(path) || (await stat(folder).catch(() => undefined))?.isDirectory() === false)
      throw new Error(`${failure}: expected the path of a file in a folder.`)
    await access(folder, constants.W_OK).catch(({ code, message }: NodeJS.ErrnoException) => {
      const reason = code === 'ENOENT' ? `the folder '${folder}' does not exist. Create it first.` : `${message}.`
      throw new Error(`${failure}: ${reason}`)
    })
    if (existing !== undefined && !mayReplace) throw existsError(path)
    await removeTemporaries(path)
    return new CassetteFile(path, mayReplace)
  }

  /** Writes the file; resolves when it is on disk. While one write is under way, further calls share the next one. */
  save(text: () => string): Promise<void> {
    const isQueued = this.#waitingText !== undefined
    this.#waitingText = text
    if (isQueued) return this.#lastWrite
    const writeNewest = (): Promise<void> => {
      const newestText = this.#waitingText!
      this.#waitingText = undefined
      return this.#write(newestText())
    }
    this.#lastWrite = this.#lastWrite.then(writeNewest, writeNewest)
    return this.#lastWrite
  }

  async #write(text: string): Promise<void> {
    if (!this.#mayReplace) {
      // Creates the file, and fails if there is one by now.
      await writeFile(this.path, '', { flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
        throw error.code === 'EEXIST' ? existsError(this.path) : error
      })
      this.#mayReplace = true
    }
    // Not replaceFile, which writes through a link.
    const temporary = `${this.path}.${randomBytes(6).toString('hex')}.tmp`
    try {
      await writeFile(temporary, text, { flag: 'wx' })
      await rename(temporary, this.path)
    } finally {
      await rm(temporary, { force: true })
    }
  }
}

/** Removes the temporary files of a path that processes left when they were killed. */
async function removeTemporaries(path: string): Promise<void> {
  const folder = dirname(path)
  const prefix = `${basename(path)}.`
  for (const name of await readdir(folder).catch(() => [])) {
    const isTemporary = name.startsWith(prefix) && /^[0-9a-f]{12}\.tmp$/.test(name.slice(prefix.length))
    if (!isTemporary) continue
    const temporary = join(folder, name)
    const { mtimeMs } = (await stat(temporary).catch(() => undefined)) ?? {}
    if (mtimeMs !== undefined && Date.now() - mtimeMs > MAX_WRITE_MS) await unlink(temporary).catch(() => {})
  }
}

const existsError = (path: string): Error =>
  new Error(`Failed to write '${path}': it already exists. Choose another name, or overwrite it with --force.`)
