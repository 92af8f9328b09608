/** A chat that streams. The bug: when the stream has ended, the answer is shown as complete. */
import OpenAI from 'openai'
import type { HuntedApp, Variant } from './hunted-app.ts'

const ANSWER = 'Take the blue tablet in the morning, but never together with milk.'

interface Bubble {
  text: string
  state: 'typing' | 'complete' | 'interrupted'
}

async function fill(bubble: Bubble, client: OpenAI, question: string, variant: Variant): Promise<void> {
  try {
    const stream = await client.chat.completions.create({
      model: 'gpt-4o',
      messages: [{ role: 'user', content: question }],
      stream: true,
    })
    let finishReason: string | null = null
    for await (const { choices } of stream) {
      bubble.text += choices[0]?.delta.content ?? ''
      finishReason = choices[0]?.finish_reason ?? finishReason
    }
    bubble.state = variant === 'buggy' || finishReason === 'stop' ? 'complete' : 'interrupted'
  } catch {
    bubble.state = 'interrupted'
  }
}

export const chat: HuntedApp = {
  name: 'chat',
  client: 'openai, streamed',
  bug: 'a cut stream shown as complete',
  scenario: { replies: [{ say: ANSWER }] },
  async use({ baseURL, key }, variant) {
    const bubble: Bubble = { text: '', state: 'typing' }
    await fill(bubble, new OpenAI({ baseURL, apiKey: key }), 'When do I take my tablets?', variant)
    if (bubble.state === 'complete' && !['', ANSWER].includes(bubble.text)) {
      throw new Error(`Shown as complete: ${bubble.text}`)
    }
  },
  size: 1,
  failsUnder: ['early-end', 'unfinished'],
}
