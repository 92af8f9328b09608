// Loaded into the server's process before it: answers what memory it has after a collection, and what it holds open.
import { readdirSync } from 'node:fs'

process.on('message', () => {
  globalThis.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  process.send({ rss, heapUsed, sockets: socketsOpen(), files: filesOpen() })
})
process.channel?.unref()

const socketsOpen = () => process.getActiveResourcesInfo().filter((name) => /^TCP.*Wrap$/.test(name)).length

// Where the system tells.
function filesOpen() {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return null
  }
}
