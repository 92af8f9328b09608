/** A chat that remembers. The bug: a question that got no answer stays in the history, so the next call has two. */
import OpenAI from 'openai'
import type { HuntedApp } from './hunted-app.ts'

export const history: HuntedApp = {
  name: 'history',
  client: 'openai, two turns',
  bug: 'a question without an answer stays in the history',
  scenario: {},
  async use({ baseURL, key }, variant) {
    const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 1, timeout: 20_000 })
    const messages: { role: 'user' | 'assistant'; content: string }[] = []
    const ask = async (content: string): Promise<void> => {
      messages.push({ role: 'user', content })
      try {
        const { choices } = await client.chat.completions.create({ model: 'gpt-4o-mini', messages: [...messages] })
        messages.push({ role: 'assistant', content: choices[0]?.message.content ?? '' })
      } catch {
        if (variant === 'fixed') messages.pop()
      }
    }
    await ask('Hello')
    await ask('How are you?')
    const isWrong = messages.some(({ role }, place) => role === 'user' && messages[place + 1]?.role === 'user')
    if (isWrong) throw new Error('Two questions in a row')
  },
  size: 1,
  failsUnder: ['server-error', 'rate-limit', 'bad-request', 'broken-connection', 'cut', 'early-end', 'hang'],
}
