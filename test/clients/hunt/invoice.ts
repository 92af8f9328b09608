/** Reads an invoice, and asks again when an answer does not fit. The bug: after the last try it books what it has got. */
import OpenAI from 'openai'
import { z } from 'zod'
import type { HuntedApp } from './hunted-app.ts'

const invoice = z.object({ number: z.string(), total: z.number() })
const RIGHT = { number: 'R-204', total: 119 }
const MAX_TRIES = 2

export const invoices: HuntedApp = {
  name: 'invoices',
  client: 'openai and zod, with re-asks',
  bug: 'the last wrong answer is booked',
  scenario: { replies: [{ say: JSON.stringify(RIGHT) }] },
  async use({ baseURL, key }, variant) {
    const client = new OpenAI({ baseURL, apiKey: key, timeout: 20_000 })
    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'Invoice R-204, total 119 EUR' }]
    const read = async (): Promise<Partial<z.infer<typeof invoice>> | undefined> => {
      let found: Partial<z.infer<typeof invoice>> | undefined
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        const { choices } = await client.chat.completions.create({ model: 'gpt-4o-mini', messages: [...messages] })
        const content = choices[0]?.message.content ?? ''
        const parsed = invoice.safeParse(parseJson(content))
        if (parsed.success) return parsed.data
        if (variant === 'buggy') found = {}
        messages.push({ role: 'assistant', content }, { role: 'user', content: 'That does not fit the schema.' })
      }
      return found
    }
    const booked = await read().catch(() => undefined)
    if (booked !== undefined && booked.total !== RIGHT.total) throw new Error(`Booked ${booked.total}`)
  },
  size: 2,
  failsUnder: ['wrong-answer', 'unfinished'],
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
