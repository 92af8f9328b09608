/**
 * A hunt in process for an app that makes three calls with the official client and survives any two faults. Prints, hunt by
 * hunt, how many experiments fit in a second of the processor's time, which other programs on the core do not add to.
 */
import { hunt } from 'llm-api-mock/hunt'
import OpenAI from 'openai'

const [rounds] = process.argv.slice(2).map(Number)

async function app({ scenario }) {
  const client = new OpenAI({ apiKey: scenario.exampleKey })
  for (const content of ['Make a plan', 'Follow the plan', 'Summarise']) {
    const messages = [{ role: 'user', content }]
    await client.chat.completions.create({ model: 'echo-1', messages }).catch(() => undefined)
  }
}

async function measure() {
  const before = process.cpuUsage()
  const { runs } = await hunt('default', app)
  const { user, system } = process.cpuUsage(before)
  return runs / ((user + system) / 1_000_000)
}

// The first one loads the client and is compiled.
await measure()
const samples = []
for (let round = 0; round < rounds; round++) samples.push(await measure())
console.log(JSON.stringify(samples))
