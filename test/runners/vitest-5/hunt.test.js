import { wholeOrError } from 'llm-api-mock/hunt'
import { huntTest } from 'llm-api-mock/vitest'
import OpenAI from 'openai'

/** Answers, or says that it cannot. */
const ask = async (mock) => {
  const client = new OpenAI({ apiKey: mock.scenario.exampleKey, maxRetries: 1 })
  const messages = [{ role: 'user', content: 'Plan my day.' }]
  const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages })
  return choices[0].finish_reason === 'stop' ? choices[0].message.content : 'Please try again later.'
}

huntTest('the planner', 'default', ask, { check: [wholeOrError()] })
