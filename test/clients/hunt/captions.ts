/** Translates captions, all at once. The bug: captions that fail are left out, and the others move to the wrong pictures. */
import OpenAI from 'openai'
import type { HuntedApp } from './hunted-app.ts'

const CAPTIONS = ['cat', 'dog']

export const captions: HuntedApp = {
  name: 'captions',
  client: 'openai, in parallel',
  bug: 'results move to other rows',
  // The echo: a caption is its own translation.
  scenario: {},
  async use({ baseURL, key }, variant) {
    const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 1, timeout: 20_000 })
    const translate = async (caption: string): Promise<string | undefined> => {
      const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: caption }]
      const { choices } = await client.chat.completions.create({ model: 'gpt-4o-mini', messages })
      const [choice] = choices
      return choice?.finish_reason === 'stop' ? (choice.message.content ?? undefined) : undefined
    }
    const translated = await Promise.all(CAPTIONS.map((caption) => translate(caption).catch(() => undefined)))
    const shown = variant === 'buggy' ? translated.filter((text) => text !== undefined) : translated
    const moved = CAPTIONS.find((caption, row) => CAPTIONS.some((other) => other !== caption && other === shown[row]))
    if (moved !== undefined) throw new Error('A picture has the caption of another one')
  },
  size: 1,
  failsUnder: [
    'server-error',
    'rate-limit',
    'bad-request',
    'broken-connection',
    'cut',
    'early-end',
    'unfinished',
    'wrong-answer',
    'hang',
  ],
}
