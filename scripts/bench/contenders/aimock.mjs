/**
 * aimock, from the entry point given as an argument: fixtures that answer the benchmark's texts, no latency, its journal
 * as it is by default, and as quiet as it is by default in code.
 */
import { pathToFileURL } from 'node:url'

const [entry, streamText, events] = process.argv.slice(2)
const { LLMock } = await import(pathToFileURL(entry).href)
const mock = new LLMock({ port: 0, host: '127.0.0.1', latency: 0 })
// Its events are a role, the pieces of the text, a finish and [DONE].
const chunkSize = Math.ceil(streamText.length / (Number(events) - 3))
mock.onMessage(streamText, { content: streamText }, { chunkSize })
mock.onMessage('Hello there', { content: 'Hello there, number 12!' })
mock.onEmbedding('Hello there', {
  embedding: Array.from({ length: 1536 }, (_, index) => Number((Math.sin(index + 1) * 0.036).toPrecision(8))),
})
await mock.start()
console.log(`${mock.url}/v1`)
