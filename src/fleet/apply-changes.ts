/** Makes the same changes on every replica of a fleet. */

import type { Replica } from './replica.ts'

/** One change, as a request to the control plane. */
export interface Change {
  /** Its name in the report: `scenario flaky`. */
  readonly name: string
  readonly method: 'PUT' | 'POST' | 'DELETE'
  readonly path: string
  readonly body?: string
}

/** The result for one replica. */
export interface Applied {
  readonly target: string
  /** The names of the changes that were made. */
  readonly done: readonly string[]
  /** The reason why the next change failed, with its name; later ones were not tried. */
  readonly failure?: string
}

/**
 * Makes the changes on each replica in order, on all replicas at the same time. When a replica does not answer or refuses
 * the token, nothing is changed on any of them.
 */
export async function applyChanges(replicas: readonly Replica[], changes: readonly Change[]): Promise<Applied[]> {
  const reached = await Promise.all(replicas.map(probe))
  if (reached.some(({ failure }) => failure !== undefined)) return reached
  return Promise.all(replicas.map((replica) => applyTo(replica, changes)))
}

/** Finds out whether a replica answers and accepts the token. Its health would not say the second. */
async function probe(replica: Replica): Promise<Applied> {
  try {
    await replica.get('/state')
    return { target: replica.target, done: [] }
  } catch (error) {
    return { target: replica.target, done: [], failure: (error as Error).message }
  }
}

async function applyTo(replica: Replica, changes: readonly Change[]): Promise<Applied> {
  const done: string[] = []
  for (const { name, method, path, body } of changes) {
    try {
      await replica.send(method, path, body)
    } catch (error) {
      return { target: replica.target, done, failure: `${name}: ${(error as Error).message}` }
    }
    done.push(name)
  }
  return { target: replica.target, done }
}
