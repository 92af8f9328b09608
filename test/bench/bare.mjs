/** The limit that the mock is measured against: bare node:http that parses the body and answers with the same JSON. */
import { createServer } from 'node:http'

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const { model, messages } = JSON.parse(text)
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({
        id: 'chatcmpl-AAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
        object: 'chat.completion',
        created: 1735689600,
        model,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: messages.at(-1).content, refusal: null, annotations: [] },
            logprobs: null,
            finish_reason: 'stop',
          },
        ],
        usage: {
          prompt_tokens: 10,
          completion_tokens: 3,
          total_tokens: 13,
          prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
          completion_tokens_details: {
            reasoning_tokens: 0,
            audio_tokens: 0,
            accepted_prediction_tokens: 0,
            rejected_prediction_tokens: 0,
          },
        },
        service_tier: 'default',
        system_fingerprint: 'fp_0000000000',
      }),
    )
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`))
