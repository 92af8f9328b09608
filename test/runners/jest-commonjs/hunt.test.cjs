const { huntTest } = require('llm-api-mock/jest')
const { wholeOrError } = require('llm-api-mock/hunt')
const { OpenAI } = require('openai')

/** Answers, or says that it cannot. */
const ask = async (mock) => {
  const client = new OpenAI({ apiKey: mock.scenario.exampleKey, maxRetries: 1 })
  const messages = [{ role: 'user', content: 'Plan my day.' }]
  const { choices } = await client.chat.completions.create({ model: 'gpt-4o', messages })
  return choices[0].finish_reason === 'stop' ? choices[0].message.content : 'Please try again later.'
}

huntTest('the planner', 'default', ask, { check: [wholeOrError()] })
