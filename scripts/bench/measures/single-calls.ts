/** Single calls over open connections: their time, and how many of them connections get answered without a pause. */
import { Agent, request } from 'node:http'
import { median } from '../results.ts'
import { headersOf, type Workload } from '../workloads.ts'

/** One call after the other, for their time. */
const SINGLE_CALLS = 1000

/** The median time of a call on an open connection, one after the other, in milliseconds. */
export async function timeOfCall(url: string, workload: Workload, calls = SINGLE_CALLS): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times: number[] = []
  for (let index = 0; index < calls; index++) {
    const start = performance.now()
    await send(url, workload, agent, index)
    times.push(performance.now() - start)
  }
  agent.destroy()
  return median(times)
}

/** How many calls per second a number of connections get, in turn to each of several servers. */
export async function callsPerSecond(urls: readonly string[], workload: Workload, connections: number, ms: number) {
  const agent = new Agent({ keepAlive: true })
  const start = performance.now()
  let calls = 0
  const connect = async (index: number): Promise<void> => {
    while (performance.now() - start < ms) await send(urls[index % urls.length]!, workload, agent, index + calls++)
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => connect(index)))
  agent.destroy()
  return { calls, perSecond: calls / ((performance.now() - start) / 1000) }
}

function send(url: string, workload: Workload, agent: Agent, index: number): Promise<void> {
  const { path, bodies } = workload
  return new Promise((resolve, reject) => {
    const call = request(url + path, { method: 'POST', agent, headers: headersOf(workload, index) }, (answer) => {
      const { statusCode } = answer
      if (statusCode !== 200) reject(new Error(`A call to ${url}${path} got a ${statusCode}, so nothing is measured.`))
      answer.resume().once('end', resolve).once('error', reject)
    })
    call.once('error', reject).end(bodies[index % bodies.length])
  })
}
