/** The load balancers of Debian's packages, with the files of docs/deploy. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const DEPLOY = resolve(import.meta.dirname, '../../docs/deploy')

/** How to start each balancer with its file. */
export const BALANCERS = {
  haproxy: { file: 'haproxy.cfg', args: (folder: string) => ['-f', join(folder, 'haproxy.cfg')] },
  nginx: { file: 'nginx.conf', args: (folder: string) => ['-p', folder, '-c', 'nginx.conf', '-g', 'daemon off;'] },
} as const

export type BalancerName = keyof typeof BALANCERS

/**
 * Writes the file of a balancer into a new folder. Only the addresses are replaced; replicas that are not there are left out.
 * @param origins of the replicas: `http://127.0.0.1:4010`
 */
export function writeBalancerFile(name: BalancerName, origins: readonly string[], port: number) {
  const { file, args } = BALANCERS[name]
  const folder = mkdtempSync(join(tmpdir(), 'api-mock-balancer-'))
  const text = readFileSync(join(DEPLOY, file), 'utf8')
    .replaceAll(/^.*mock-(\d):4010.*\n/gm, (line, index: string) => {
      const origin = origins[Number(index)]
      return origin === undefined ? '' : line.replace(/mock-\d:4010/, new URL(origin).host)
    })
    .replace(
      /\b(bind \*?:|listen )8080/,
      (_, start: string) => `${start.replace(':', '127.0.0.1:').replace('listen ', 'listen 127.0.0.1:')}${port}`,
    )
  mkdirSync(join(folder, 'temp'))
  writeFileSync(join(folder, file), text)
  return { folder, args: args(folder) }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as { port: number }
  await new Promise((closed) => server.close(closed))
  return port
}
