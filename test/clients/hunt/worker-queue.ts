/** Works off a queue of mails. The bug: a job is taken off the queue before its answer is stored, so a failure loses it. */
import OpenAI from 'openai'
import type { HuntedApp } from './hunted-app.ts'

const MAX_TRIES = 3

export const workerQueue: HuntedApp = {
  name: 'worker queue',
  client: 'openai, one job after another',
  bug: 'a job is lost',
  scenario: { replies: [{ say: 'spam' }] },
  async use({ baseURL, key }, variant) {
    const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0, timeout: 10_000 })
    const jobs = ['first mail', 'second mail']
    const queue = jobs.map((mail) => ({ mail, tries: 0 }))
    const done: string[] = []
    const dead: string[] = []
    while (queue.length > 0) {
      const job = queue.shift()!
      try {
        const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: job.mail }]
        await client.chat.completions.create({ model: 'gpt-4o-mini', messages })
        done.push(job.mail)
      } catch (error) {
        job.tries++
        const isBusy = error instanceof OpenAI.APIError
        if (job.tries === MAX_TRIES) dead.push(job.mail)
        else if (isBusy || variant === 'fixed') queue.push(job)
      }
    }
    const lost = jobs.filter((mail) => !done.includes(mail) && !dead.includes(mail))
    if (lost.length > 0) throw new Error(`Lost: ${lost.join(' and ')}`)
  },
  size: 1,
  failsUnder: ['broken-connection', 'cut', 'early-end'],
}
