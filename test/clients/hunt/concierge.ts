/** An agent that orders a taxi. The bug: when it fails, a second agent starts from the beginning, and orders another one. */
import { createOpenAI } from '@ai-sdk/openai'
import { generateText, isStepCount, type ModelMessage, tool } from 'ai'
import { z } from 'zod'
import type { HuntedApp } from './hunted-app.ts'

const SORRY = 'Please call the reception.'

export const concierge: HuntedApp = {
  name: 'concierge',
  client: 'AI SDK, an agent with a tool',
  bug: 'a second agent repeats what the first one did',
  scenario: {
    replies: [
      { when: { toolResult: 'ordered' }, say: 'Your taxi is on its way.' },
      { when: { user: 'taxi' }, call: { name: 'order_taxi', arguments: { to: 'the station' } } },
    ],
  },
  async use({ baseURL, key }, variant) {
    const openai = createOpenAI({ baseURL, apiKey: key })
    let taxis = 0
    const done: ModelMessage[] = []
    const tools = {
      order_taxi: tool({ inputSchema: z.object({ to: z.string() }), execute: () => `ordered taxi ${++taxis}` }),
    }
    const serve = async (name: string): Promise<string> => {
      const { text } = await generateText({
        model: openai.chat(name),
        tools,
        messages: [{ role: 'user', content: 'A taxi to the station, please.' }, ...done],
        stopWhen: isStepCount(5),
        maxRetries: 1,
        abortSignal: AbortSignal.timeout(60_000),
        ...(variant === 'fixed' && {
          onStepFinish: ({ response }) => void done.splice(0, done.length, ...response.messages),
        }),
      })
      return text
    }
    await serve('gpt-4o')
      .catch(() => serve('gpt-4o-mini'))
      .catch(() => SORRY)
    if (taxis > 1) throw new Error(`Ordered ${taxis} taxis`)
  },
  size: 1,
  failsUnder: ['server-error', 'rate-limit', 'bad-request', 'broken-connection', 'cut', 'early-end', 'hang'],
}
