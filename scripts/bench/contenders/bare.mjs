/**
 * The limit that the mock is measured against: bare node:http that parses the body and sends an answer of the same
 * shape. Of a stream it writes each event alone, as it comes by; an embedding it holds as numbers, or as float32s.
 *
 * With the argument `write-head` it calls writeHead, with the content-length of whole answers: Node then sends the head
 * and the body in one write. With `paced <first> <next>` it also waits before each token of a stream, in milliseconds.
 */
import { createServer } from 'node:http'
import { completion, head } from './completion.mjs'

const DIMENSIONS = 1536
// As long as a real service's: eight digits or nine, which is what float32s take.
const numbers = Array.from({ length: DIMENSIONS }, (_, index) => Number((Math.sin(index + 1) * 0.036).toPrecision(8)))
const floats = Float32Array.from(numbers)

const server = createServer((request, response) => {
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    const body = JSON.parse(text)
    if (request.url === '/v1/embeddings') answer(response, embeddings(body))
    else if (body.stream === true) stream(response, body)
    else answer(response, completion(body))
  })
})
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`))

const [mode, firstMs, nextMs] = process.argv.slice(2)
const isPaced = mode === 'paced'
const writesHead = mode === 'write-head' || isPaced

function answer(response, body) {
  const json = JSON.stringify(body)
  if (writesHead) {
    response.writeHead(200, ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(json))])
  } else {
    response.setHeader('content-type', 'application/json')
  }
  response.end(json)
}

function stream(response, { model, messages }) {
  const type = 'text/event-stream; charset=utf-8'
  if (writesHead) response.writeHead(200, ['content-type', type])
  else response.setHeader('content-type', type)
  const pieces = messages.at(-1).content.split(/(?= )/)
  if (isPaced) return pace(response, model, pieces)
  write(response, chunk(model, { role: 'assistant', content: '', refusal: null }))
  for (const content of pieces) write(response, chunk(model, { content }))
  write(response, chunk(model, {}, 'stop'))
  response.write('data: [DONE]\n\n')
  response.end()
}

/** Due times count from the start, so that a late token does not delay those after it. */
function pace(response, model, pieces) {
  const start = performance.now() + Number(firstMs)
  let next = 0
  const send = () => {
    if (response.destroyed) return
    if (next === 0) write(response, chunk(model, { role: 'assistant', content: '', refusal: null }))
    write(response, chunk(model, { content: pieces[next++] }))
    if (next < pieces.length) return wait()
    write(response, chunk(model, {}, 'stop'))
    response.end('data: [DONE]\n\n')
  }
  const wait = () => setTimeout(send, Math.max(0, start + next * Number(nextMs) - performance.now()))
  wait()
}

function write(response, value) {
  response.write(`data: ${JSON.stringify(value)}\n\n`)
}

const chunk = (model, delta, finish = null) => ({
  ...head('chat.completion.chunk', model),
  choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
})

const embeddings = ({ model, encoding_format: format }) => ({
  object: 'list',
  data: [
    {
      object: 'embedding',
      index: 0,
      embedding: format === 'base64' ? Buffer.from(floats.buffer).toString('base64') : numbers,
    },
  ],
  model,
  usage: { prompt_tokens: 3, total_tokens: 3 },
})
