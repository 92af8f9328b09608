/** Finds repeated Host headers: RFC 9112 has them refused, because proxies disagree on which one counts. */
import type { IncomingMessage } from 'node:http'

export const REPEATED_HOST = 'The request has more than one Host header. Send exactly one.'

/** @see https://www.rfc-editor.org/rfc/rfc9112#section-3.2 */
export function hasRepeatedHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): boolean {
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
