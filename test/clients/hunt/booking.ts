/** An agent that books a table. The bug: it retries the whole conversation, and so the tool that books. */
import OpenAI from 'openai'
import type { ChatCompletionMessageParam, ChatCompletionTool } from 'openai/resources'
import type { HuntedApp } from './hunted-app.ts'

const tools: ChatCompletionTool[] = [
  {
    type: 'function',
    function: {
      name: 'book_table',
      description: 'Books a table',
      parameters: {
        type: 'object',
        properties: { people: { type: 'integer' }, time: { type: 'string' } },
        required: ['people', 'time'],
      },
    },
  },
]

type Retry = <Value>(step: () => Promise<Value>) => Promise<Value>

const once: Retry = (step) => step()
const twice: Retry = (step) => step().catch(step)

async function converse(client: OpenAI, question: string, book: (order: unknown) => string, retry: Retry) {
  const messages: ChatCompletionMessageParam[] = [{ role: 'user', content: question }]
  for (;;) {
    const { choices } = await retry(() =>
      client.chat.completions.create({ model: 'gpt-4o', messages: [...messages], tools }),
    )
    const { message } = choices[0]!
    messages.push(message)
    if (message.tool_calls === undefined) return message.content
    for (const call of message.tool_calls) {
      if (call.type !== 'function') throw new Error(`unknown call: ${call.type}`)
      messages.push({ role: 'tool', tool_call_id: call.id, content: book(JSON.parse(call.function.arguments)) })
    }
  }
}

export const booking: HuntedApp = {
  name: 'booking',
  client: 'openai, with tools',
  bug: 'a retry of a step that is not idempotent',
  scenario: {
    replies: [
      { when: { toolResult: 'booked' }, say: 'Your table is booked.' },
      { when: { user: 'table' }, call: { name: 'book_table', arguments: { people: 2, time: '19:00' } } },
    ],
  },
  async use({ baseURL, key }, variant) {
    const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 0 })
    const bookings: unknown[] = []
    const book = (order: unknown) => `booked as number ${bookings.push(order)}`
    const question = 'Please book a table for two at seven.'
    const answer =
      variant === 'buggy'
        ? twice(() => converse(client, question, book, once))
        : converse(client, question, book, twice)
    await answer.catch(() => 'Something went wrong. Please call us.')
    if (bookings.length > 1) throw new Error(`Booked ${bookings.length} tables`)
  },
  size: 1,
  failsUnder: ['server-error', 'rate-limit', 'bad-request', 'broken-connection', 'cut', 'early-end', 'hang'],
}
