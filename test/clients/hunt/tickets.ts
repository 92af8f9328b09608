/** Sorts tickets, with plain fetch. The bug: a 400 uses up no attempt, so it is sent again without end. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { HuntedApp, Variant } from './hunted-app.ts'

const LABELS = ['billing', 'bug', 'question']
const MAX_ATTEMPTS = 3

async function classify(url: string, key: string, ticket: string, variant: Variant): Promise<string> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; ) {
    const response = await send(url, key, ticket).catch(() => undefined)
    if (response?.ok) {
      const label = await readLabel(response).catch(() => undefined)
      if (label !== undefined) return label
    }
    const isRefused = response !== undefined && !response.ok && response.status < 500 && response.status !== 429
    if (variant === 'fixed' && isRefused) break
    // A server that is busy is asked again, but not for ever.
    if (!isRefused) attempt++
    await sleep(1000 * attempt)
  }
  return 'to be read by a human'
}

const send = (url: string, key: string, ticket: string): Promise<Response> =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      model: 'gpt-4o-mini',
      messages: [{ role: 'user', content: `Which of ${LABELS.join(', ')} is this? ${ticket}` }],
    }),
    signal: AbortSignal.timeout(30_000),
  })

async function readLabel(response: Response): Promise<string | undefined> {
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
  return LABELS.find((label) => label === choices[0]?.message.content)
}

export const tickets: HuntedApp = {
  name: 'tickets',
  client: 'fetch',
  bug: 'unbounded retries of a 400',
  scenario: { replies: [{ say: 'billing' }] },
  async use({ baseURL, key }, variant) {
    const label = await classify(baseURL, key, 'I was charged twice.', variant)
    if (label !== 'billing' && label !== 'to be read by a human') throw new Error(`Sorted as ${label}`)
  },
  size: 1,
  // 408 and 409 are of the class server-error.
  failsUnder: ['bad-request', 'server-error'],
}
