const { huntTest } = require('llm-api-mock/jest')
const { wholeOrError } = require('llm-api-mock/hunt')
const { OpenAI } = require('openai')

/**
 * Answers, or says that it cannot.
 * @param {import('llm-api-mock').Mock} mock
 */
const ask = async (mock) => {
  const client = new OpenAI({ apiKey: mock.scenario.exampleKey, maxRetries: 1 })
  const { choices } = await client.chat.completions.create({
    model: 'gpt-4o',
    messages: [{ role: 'user', content: 'Plan my day.' }],
  })
  const [choice] = choices
  return choice?.finish_reason === 'stop' ? choice.message.content : 'Please try again later.'
}

huntTest('the planner', 'default', ask, { check: [wholeOrError()] })
