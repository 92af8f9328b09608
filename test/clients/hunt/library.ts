/** Answers from notes. The bug: a reply that broke off is kept, and answers the next user too. */
import { OpenAI } from '@llamaindex/openai'
import type { HuntedApp } from './hunted-app.ts'

const ANSWER = 'The library opens at nine.'

export const library: HuntedApp = {
  name: 'library',
  client: 'LlamaIndex, streamed',
  bug: 'half a reply is kept',
  scenario: { replies: [{ say: ANSWER }] },
  async use({ baseURL, key }, variant) {
    const llm = new OpenAI({ model: 'gpt-4o-mini', apiKey: key, baseURL, maxRetries: 1, timeout: 20_000 })
    const kept = new Map<string, string>()
    const answer = async (question: string): Promise<string> => {
      let text = kept.get(question) ?? ''
      if (text !== '') return text
      try {
        let isWhole = false
        for await (const { delta, raw } of await llm.chat({
          messages: [{ role: 'user', content: question }],
          stream: true,
        })) {
          text += delta
          const { choices } = raw as { choices?: { finish_reason?: string | null }[] }
          isWhole ||= choices?.[0]?.finish_reason === 'stop'
        }
        if (!isWhole && variant === 'fixed') return 'Please ask again.'
        if (text !== '') kept.set(question, text)
        return text
      } catch {
        if (text !== '' && variant === 'buggy') kept.set(question, text)
        return 'Please ask again.'
      }
    }
    await answer('When does it open?')
    const [shown = ANSWER] = kept.values()
    if (shown !== ANSWER) throw new Error(`Kept for all: ${shown}`)
  },
  size: 1,
  failsUnder: ['cut', 'early-end', 'unfinished'],
}
