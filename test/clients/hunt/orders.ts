/**
 * Reads orders out of mails, and shows the form while it fills. The bug: it stores what it read last, and that is partial
 * JSON when the stream ends early.
 */
import { createOpenAI } from '@ai-sdk/openai'
import { type LanguageModel, parsePartialJson, streamText } from 'ai'
import type { HuntedApp, Variant } from './hunted-app.ts'

const ORDER = { customer: 'Ms Berg', items: [{ name: 'lamp', count: 12 }], express: true }

async function readOrder(model: LanguageModel, mail: string, show: (form: unknown) => void, variant: Variant) {
  const { textStream } = streamText({
    model,
    prompt: `Read the order as JSON: ${mail}`,
    maxRetries: 1,
    abortSignal: AbortSignal.timeout(60_000),
    // Errors end the stream. They would be printed.
    onError: () => {},
  })
  let text = ''
  let form: unknown
  for await (const piece of textStream) {
    text += piece
    form = (await parsePartialJson(text)).value
    show(form)
  }
  return variant === 'fixed' ? JSON.parse(text) : form
}

export const orders: HuntedApp = {
  name: 'orders',
  client: 'AI SDK, streamed',
  bug: 'partial JSON parsed',
  scenario: { replies: [{ say: JSON.stringify(ORDER) }] },
  async use({ baseURL, key }, variant) {
    const model = createOpenAI({ baseURL, apiKey: key }).chat('gpt-4o-mini')
    const stored = await readOrder(model, 'Twelve lamps, by express. Berg', () => {}, variant).catch(() => undefined)
    if (stored !== undefined && JSON.stringify(stored) !== JSON.stringify(ORDER)) {
      throw new Error(`Stored half an order: ${JSON.stringify(stored)}`)
    }
  },
  size: 1,
  failsUnder: ['early-end', 'unfinished', 'slow'],
}
