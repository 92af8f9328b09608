/**
 * Watches a file, and others that belong to it, by polling their status. This also notices a replaced file, a swapped link
 * and a folder that is created later. The file is read when two checks agree, and the result is used only if a third one
 * agrees: a half-written file is never used.
 */

import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

const POLL_MS = 100
const MISSING = 'missing'

/**
 * Reads the file, and returns the function that uses it: called if the file has not changed meanwhile.
 * @param changed the full path of a file that has changed since the last use.
 */
type Read = (isThere: boolean, changed: string) => Promise<() => void>

/**
 * Watches a file until it is closed.
 * @param read is called at the start and after each change; it must not throw.
 * @param others the files that belong to it now.
 */
export function watchFile(path: string, read: Read, others: Iterable<string> = []): { close(): void } {
  const closing = new AbortController()
  const { signal } = closing
  const fullPath = resolve(path)
  const readStatuses = async (): Promise<string> => (await Promise.all([fullPath, ...others].map(readStatus))).join()
  const statuses = new Map<string, string>()
  /** The first file with another status than at the last use. */
  const findChanged = async (): Promise<string> => {
    const paths = [fullPath, ...others]
    const now = await Promise.all(paths.map(readStatus))
    const changed = paths.find((path, index) => statuses.get(path) !== now[index])
    for (const [index, path] of paths.entries()) statuses.set(path, now[index]!)
    return changed ?? fullPath
  }
  const follow = async (): Promise<void> => {
    // The status at the last check, and that of the files as they were used last.
    let lastStatus = ''
    let usedStatus = ''
    while (!signal.aborted) {
      const status = await readStatuses()
      const isSettled = status === lastStatus
      lastStatus = status
      if (isSettled && status !== usedStatus) {
        const use = await read(!status.startsWith(MISSING), await findChanged())
        lastStatus = await readStatuses()
        if (lastStatus === status && !signal.aborted) {
          usedStatus = status
          use()
        }
      }
      await delay(POLL_MS, undefined, { signal }).catch(() => {})
    }
  }
  void follow()
  return { close: () => closing.abort() }
}

/** Identifies one version of the file. */
async function readStatus(path: string): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
    return [ino, size, mtimeNs, ctimeNs].join(' ')
  } catch {
    return MISSING
  }
}
