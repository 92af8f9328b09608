/** An agent that refunds an order. The bug: the user is told that the money is on its way before it is. */
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
import OpenAI from 'openai'
import { z } from 'zod'
import type { HuntedApp } from './hunted-app.ts'

export const refund: HuntedApp = {
  name: 'refund',
  client: '@openai/agents',
  bug: 'a success is shown that nothing has confirmed',
  scenario: {
    replies: [
      { when: { toolResult: 'refunded' }, say: 'You get your money back.' },
      { when: { user: 'refund' }, call: { name: 'refund_order', arguments: { order: 'A-17' } } },
    ],
  },
  async use({ baseURL, key }, variant) {
    const openAIClient = new OpenAI({ baseURL, apiKey: key, maxRetries: 1, timeout: 30_000 })
    const modelProvider = new OpenAIProvider({ openAIClient, useResponses: false })
    const runner = new Runner({ modelProvider, tracingDisabled: true })
    const refunded: string[] = []
    const refundOrder = tool({
      name: 'refund_order',
      description: 'Pays an order back',
      parameters: z.object({ order: z.string() }),
      execute: ({ order }) => `refunded ${refunded.push(order)}`,
    })
    const agent = new Agent({ name: 'Refunds', model: 'gpt-4o', tools: [refundOrder] })
    const ended = await runner.run(agent, 'Please refund order A-17.').then(
      () => true,
      () => false,
    )
    const isTold = variant === 'buggy' ? ended : ended && refunded.length > 0
    if (isTold && refunded.length === 0) throw new Error('The user waits for money that nobody has sent')
  },
  size: 1,
  failsUnder: ['wrong-answer', 'unfinished'],
}
