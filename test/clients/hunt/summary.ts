/** Stores summaries of articles. The bug: `finish_reason` is not checked, so half a summary is stored. */
import OpenAI from 'openai'
import type { HuntedApp, Variant } from './hunted-app.ts'

const ARTICLE = 'The old mill at the river has been closed since the flood. (Two pages more.)'
const SUMMARY = 'The old mill reopens in May, after two years of repairs.'

async function summarise(client: OpenAI, article: string, variant: Variant): Promise<string> {
  const { choices } = await client.chat.completions.create({
    model: 'gpt-4o-mini',
    max_completion_tokens: 200,
    messages: [{ role: 'user', content: `Summarise in one sentence: ${article}` }],
  })
  const { message, finish_reason } = choices[0]!
  if (!message.content) throw new Error('The summary is empty.')
  if (variant === 'fixed' && finish_reason !== 'stop') throw new Error('The summary is not complete.')
  return message.content
}

export const summary: HuntedApp = {
  name: 'summary',
  client: 'openai',
  bug: 'unchecked finish_reason',
  scenario: { replies: [{ say: SUMMARY }] },
  async use({ baseURL, key }, variant) {
    const client = new OpenAI({ baseURL, apiKey: key })
    const stored = await summarise(client, ARTICLE, variant).catch(() => undefined)
    if (stored !== undefined && stored !== SUMMARY) throw new Error(`Stored half a summary: ${stored}`)
  },
  size: 1,
  failsUnder: ['unfinished'],
}
