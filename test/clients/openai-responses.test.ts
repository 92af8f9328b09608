/** The official client against /v1/responses: answers, streams, parsed outputs, chains, and what it stored. */
import OpenAI, { BadRequestError, NotFoundError } from 'openai'
import { zodResponsesFunction, zodTextFormat } from 'openai/helpers/zod'
import type { ResponseInput } from 'openai/resources/responses/responses'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { GENEROUS_MS, PLACES, placed } from './placed.ts'

const model = 'gpt-4o-mini'
const ask = 'What is the weather in Oslo?'
const get_weather = zodResponsesFunction({
  name: 'get_weather',
  description: 'The weather of a city',
  parameters: z.object({ city: z.string() }),
})
const trip = z.object({ city: z.string(), days: z.number().int(), by: z.enum(['train', 'boat']) })

describe.each(PLACES)('%s', { timeout: GENEROUS_MS }, (place) => {
  const start = async (scenario = {}) => {
    const opened = await placed(place, scenario)
    const client = new OpenAI({ baseURL: opened.baseURL, apiKey: opened.apiKey, maxRetries: 0 })
    return { ...opened, client, responses: client.responses }
  }

  test('create returns the text and the usage', async () => {
    const { responses } = await start()
    const answer = await responses.create({ model, instructions: 'Be brief.', input: 'Hello there!' })
    expect(answer.output_text).toBe('Hello there!')
    expect(answer.status).toBe('completed')
    expect(answer.usage).toMatchObject({ input_tokens: 17, output_tokens: 3, total_tokens: 20 })
  })

  test('create with stream yields numbered events, of which the last has the response', async () => {
    const { responses } = await start()
    const events = []
    for await (const event of await responses.create({ model, input: 'One two three', stream: true }))
      events.push(event)
    expect(events.map(({ sequence_number }) => sequence_number)).toEqual([...events.keys()])
    expect(events.map(({ type }) => type).filter((type) => type !== 'response.output_text.delta')).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ])
    const deltas = events.flatMap((event) => (event.type === 'response.output_text.delta' ? [event.delta] : []))
    expect(deltas).toEqual(['One', ' two', ' three'])
  })

  test('.stream() emits the text as it grows and puts the response together', async () => {
    const { responses } = await start()
    const stream = responses.stream({ model, input: 'One two three' })
    const snapshots: string[] = []
    stream.on('response.output_text.delta', ({ snapshot }) => snapshots.push(snapshot))
    const final = await stream.finalResponse()
    expect(snapshots).toEqual(['One', 'One two', 'One two three'])
    expect(final.output_text).toBe('One two three')
    expect(final.usage!.total_tokens).toBeGreaterThan(0)
  })

  test('.stream() puts the arguments of parallel calls together', async () => {
    const { responses } = await start()
    const input = 'What is the weather in Oslo and Rome?'
    const final = await responses.stream({ model, input, tools: [get_weather] }).finalResponse()
    const parsed = final.output.flatMap((item) => (item.type === 'function_call' ? [item.parsed_arguments] : []))
    expect(parsed).toEqual([{ city: 'Oslo' }, { city: 'Rome' }])
  })

  test('parse returns a value of the zod schema, and parsed arguments of a tool', async () => {
    const { responses } = await start()
    const answer = await responses.parse({ model, input: 'A trip.', text: { format: zodTextFormat(trip, 'trip') } })
    expect(trip.parse(answer.output_parsed)).toEqual(answer.output_parsed)
    const calling = await responses.parse({ model, input: ask, tools: [get_weather] })
    expect(calling.output).toMatchObject([{ type: 'function_call', parsed_arguments: { city: 'Oslo' } }])
  })

  test('a refusal is a part of the message', async () => {
    const { responses } = await start()
    const answer = await responses.create({ model, input: 'Tell me a secret.' })
    expect(answer.output).toMatchObject([{ content: [{ type: 'refusal', refusal: 'I cannot help with that.' }] }])
    expect([answer.status, answer.output_text]).toEqual(['completed', ''])
  })

  test('the result of a call is answered with the items of the first answer', async () => {
    const { responses } = await start()
    const input: ResponseInput = [{ role: 'user', content: ask }]
    const calling = await responses.create({ model, input, tools: [get_weather] })
    const [call] = calling.output
    if (call?.type !== 'function_call') throw new Error('Expected a call.')
    input.push(call, { type: 'function_call_output', call_id: call.call_id, output: 'rain in Oslo' })
    const answer = await responses.create({ model, input, tools: [get_weather] })
    expect(answer.output_text).toBe('rain in Oslo')
  })

  test('a chain by previous_response_id knows the earlier turns, and counts them', async () => {
    const { responses } = await start()
    const calling = await responses.create({ model, input: ask, tools: [get_weather] })
    const [call] = calling.output
    if (call?.type !== 'function_call') throw new Error('Expected a call.')
    const answer = await responses.create({
      model,
      previous_response_id: calling.id,
      input: [{ type: 'function_call_output', call_id: call.call_id, output: 'rain in Oslo' }],
    })
    expect(answer.output_text).toBe('rain in Oslo')
    expect(answer.previous_response_id).toBe(calling.id)
    const thanks = await responses.create({ model, previous_response_id: answer.id, input: 'Thanks!' })
    expect(thanks.output_text).toBe('Thanks!')
    expect(thanks.usage!.input_tokens).toBeGreaterThan(answer.usage!.input_tokens)
  })

  test('a stored response is retrieved, its input listed, and deleted', async () => {
    const { responses } = await start()
    const { output_text, ...answer } = await responses.create({ model, input: 'Hello there!' })
    const { output_text: again, ...stored } = await responses.retrieve(answer.id)
    expect(stored).toEqual(answer)
    const items = []
    for await (const item of responses.inputItems.list(answer.id)) items.push(item)
    expect(items).toMatchObject([
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hello there!' }] },
    ])
    await responses.delete(answer.id)
    await expect(responses.retrieve(answer.id)).rejects.toThrow(NotFoundError)
  })

  test('inputItems.list pages through a long input, the last item first', async () => {
    const { responses } = await start()
    const input: ResponseInput = Array.from({ length: 7 }, (_, index) => ({ role: 'user', content: `number ${index}` }))
    const { id } = await responses.create({ model, input })
    const texts: string[] = []
    for await (const item of responses.inputItems.list(id, { limit: 3 })) {
      if (item.type === 'message' && item.content[0]?.type === 'input_text') texts.push(item.content[0].text)
    }
    expect(texts).toEqual([6, 5, 4, 3, 2, 1, 0].map((index) => `number ${index}`))
  })

  test('inputTokens.count says what create counts', async () => {
    const { responses } = await start()
    const { input_tokens } = await responses.inputTokens.count({ model, input: 'Hello there!' })
    const { usage } = await responses.create({ model, input: 'Hello there!' })
    expect(input_tokens).toBe(usage!.input_tokens)
  })

  test('an unknown response is a 404, and an unknown previous response a 400', async () => {
    const { responses } = await start()
    await expect(responses.retrieve('resp_0a1b')).rejects.toThrow(NotFoundError)
    const call = responses.create({ model, previous_response_id: 'resp_0a1b', input: 'Hello!' })
    await expect(call).rejects.toThrow(BadRequestError)
    await expect(call).rejects.toMatchObject({ code: 'previous_response_not_found' })
  })

  test('a stream that breaks off throws', async () => {
    const { mock, responses } = await start()
    mock.inject('cut', { after: 1 })
    await expect(responses.stream({ model, input: 'One two three' }).finalResponse()).rejects.toThrow()
  })
})
