/** Recognises loopback addresses. */

const OCTET = '(?:25[0-5]|2[0-4]\\d|1?\\d?\\d)'
const LOOPBACK = new RegExp(`^(?:localhost|127(?:\\.${OCTET}){3}|\\[::1\\])$`, 'i')

/** True if a host name or address is loopback. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)
}
