/**
 * Watches one file, whatever an editor does to it: writes it in place, puts another in its place, deletes it and writes
 * it anew.
 *
 * Its folder is watched, as a file that is replaced takes its watch with it; and where it is a link, the folder it leads
 * to. An event only says to look: what counts is what is seen. A file is read when it looks the same twice, some time
 * apart, and what was read counts only if it looks the same again afterwards: so nothing half-written is taken for whole.
 * While a folder can't be watched, as it is not there or the system has no watch left, the file is looked at now and then.
 */
import { type FSWatcher, watch } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'

const QUIET_MS = 50
const POLL_MS = 500
const MISSING = 'missing'

/** Reads the file, and returns what to do if it is still the same then. */
export type Read = (isThere: boolean) => Promise<() => void>

export class FileWatch {
  readonly #path: string
  readonly #read: Read
  readonly #watchers = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #isLooking = false
  /** Whether something happened while it was looking. */
  #isStirred = false
  /** What the file looked like the last time, and when it was last read. */
  #seen = ''
  #taken = ''

  /** @param read is called for what the file is at first, and after each change; it must not throw. */
  constructor(path: string, read: Read) {
    this.#path = resolve(path)
    this.#read = read
    void this.#look()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #stir = (): void => {
    if (this.#isLooking) this.#isStirred = true
    else this.#lookIn(QUIET_MS)
  }

  #lookIn(ms: number): void {
    if (this.#isClosed) return
    // Not put off by each event: in a busy folder that would be for good.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#look()
    }, ms)
  }

  async #look(): Promise<void> {
    this.#isLooking = true
    this.#isStirred = false
    // First the watch, then the look: a change between them would be missed the other way round.
    const isWatched = await this.#watchFolders()
    const sight = await this.#sight()
    const isQuiet = sight === this.#seen
    this.#seen = sight
    if (isQuiet && sight !== this.#taken && !this.#isClosed) await this.#take(sight)
    this.#isLooking = false
    if (this.#isStirred || this.#seen !== this.#taken) this.#lookIn(QUIET_MS)
    else if (!isWatched) this.#lookIn(POLL_MS)
  }

  async #take(sight: string): Promise<void> {
    const finish = await this.#read(sight !== MISSING)
    this.#seen = await this.#sight()
    if (this.#seen !== sight || this.#isClosed) return
    this.#taken = sight
    finish()
  }

  /** What tells one writing of the file from the next. */
  async #sight(): Promise<string> {
    try {
      const { ino, size, mtimeNs, ctimeNs } = await stat(this.#path, { bigint: true })
      return [ino, size, mtimeNs, ctimeNs].join(' ')
    } catch {
      return MISSING
    }
  }

  /** Watches the folders that matter now, and no others; false when one of them can't be watched. */
  async #watchFolders(): Promise<boolean> {
    const target = await realpath(this.#path).catch(() => this.#path)
    const folders = new Set([dirname(this.#path), dirname(target)])
    if (this.#isClosed) return false
    for (const folder of this.#watchers.keys()) if (!folders.has(folder)) this.#drop(folder)
    for (const folder of folders) if (!this.#watchers.has(folder)) this.#open(folder)
    return this.#watchers.size === folders.size
  }

  #open(folder: string): void {
    try {
      const watcher = watch(folder, (_, name) => {
        // Its own name: the folder is gone, or another is in its place, and this watch sees nothing any more.
        if (name === null || name === basename(folder)) this.#drop(folder)
        this.#stir()
      })
      watcher.on('error', () => {
        this.#drop(folder)
        this.#stir()
      })
      this.#watchers.set(folder, watcher)
    } catch {
      // Looked at now and then instead.
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }
}
