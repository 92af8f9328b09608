/** Which addresses are this machine's own. */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Whether an address or name is this machine's own loopback. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
}
