/**
 * Looks up the replicas behind a DNS name, such as a headless service of Kubernetes: `dns:mock:4010` gives
 * `http://10.0.0.7:4010` and `http://10.0.0.8:4010`.
 */
import { lookup } from 'node:dns/promises'

/**
 * The origins of all targets, each of them once. Names are looked up at each call, because replicas come and go.
 * @throws Error when a name has no address.
 */
export async function resolveTargets(targets: readonly string[]): Promise<string[]> {
  const lookups = targets.map(async (target) => {
    if (!target.startsWith('dns:')) return [target]
    const { hostname, port } = new URL(`http://${target.slice('dns:'.length)}`)
    try {
      // Unlike a question to a name server, it reads the search domains, so that short names of Kubernetes work.
      const addresses = await lookup(hostname, { all: true })
      const hosts = addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address))
      return hosts.map((host) => new URL(`http://${host}:${port || 80}`).origin).sort()
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      const reason = code === 'ENOTFOUND' ? 'the name has no address' : code
      throw new Error(
        `Failed to look up '${hostname}' of ${target}: ${reason}. Check the name, and that a replica is ready.`,
      )
    }
  })
  return [...new Set((await Promise.all(lookups)).flat())]
}
