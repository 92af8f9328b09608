/** Recognises loopback addresses. */

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i

/** Whether a host name or address is loopback. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
}
