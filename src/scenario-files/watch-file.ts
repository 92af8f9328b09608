/**
 * Watches one file, whether an editor overwrites it, replaces it, or deletes and recreates it.
 *
 * The folder is watched, because a watch on a replaced file ends; for a link, also the folder of its target. An event only
 * triggers a check of the file's status. The file is read when two checks some time apart agree, and the result is used
 * only if a third check agrees: a half-written file is never used. If a folder cannot be watched, because it does not
 * exist or the system has no watches left, the file is polled.
 */
import { type FSWatcher, watch } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'

const QUIET_MS = 50
const POLL_MS = 500
const MISSING = 'missing'

/** Reads the file, and returns a function that is called if the file has not changed meanwhile. */
export type Read = (isThere: boolean) => Promise<() => void>

export class FileWatch {
  readonly #path: string
  readonly #read: Read
  readonly #watchers = new Map<string, FSWatcher>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false
  #isChecking = false
  /** Whether an event came during a check. */
  #hasNewEvent = false
  /** The file's status at the last check, and when it was last used. */
  #lastStatus = ''
  #usedStatus = ''

  /** @param read is called at the start and after each change; it must not throw. */
  constructor(path: string, read: Read) {
    this.#path = resolve(path)
    this.#read = read
    void this.#check()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    for (const watcher of this.#watchers.values()) watcher.close()
    this.#watchers.clear()
  }

  #onEvent = (): void => {
    if (this.#isChecking) this.#hasNewEvent = true
    else this.#checkIn(QUIET_MS)
  }

  #checkIn(ms: number): void {
    if (this.#isClosed) return
    // Events do not postpone the check: in a busy folder that would be forever.
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#check()
    }, ms)
  }

  async #check(): Promise<void> {
    this.#isChecking = true
    this.#hasNewEvent = false
    // Watch first, then check: a change between them would be missed in the other order.
    const isWatched = await this.#watchFolders()
    const status = await this.#readStatus()
    const isQuiet = status === this.#lastStatus
    this.#lastStatus = status
    if (isQuiet && status !== this.#usedStatus && !this.#isClosed) await this.#use(status)
    this.#isChecking = false
    if (this.#hasNewEvent || this.#lastStatus !== this.#usedStatus) this.#checkIn(QUIET_MS)
    else if (!isWatched) this.#checkIn(POLL_MS)
  }

  async #use(status: string): Promise<void> {
    const finish = await this.#read(status !== MISSING)
    this.#lastStatus = await this.#readStatus()
    if (this.#lastStatus !== status || this.#isClosed) return
    this.#usedStatus = status
    finish()
  }

  /** Identifies one version of the file. */
  async #readStatus(): Promise<string> {
    try {
      const { ino, size, mtimeNs, ctimeNs } = await stat(this.#path, { bigint: true })
      return [ino, size, mtimeNs, ctimeNs].join(' ')
    } catch {
      return MISSING
    }
  }

  /** Watches the folders of the file and its target, and no others; false if one cannot be watched. */
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
        // An event with the folder's own name: it was deleted or replaced, and this watch has ended.
        if (name === null || name === basename(folder)) this.#drop(folder)
        this.#onEvent()
      })
      watcher.on('error', () => {
        this.#drop(folder)
        this.#onEvent()
      })
      this.#watchers.set(folder, watcher)
    } catch {
      // Polled instead.
    }
  }

  #drop(folder: string): void {
    this.#watchers.get(folder)?.close()
    this.#watchers.delete(folder)
  }
}
