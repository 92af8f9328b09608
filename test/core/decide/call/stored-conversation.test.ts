/** The conversation of a responses call: the chain before it, its own items, and stored items in place of references. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readItems } from '../../../../src/core/dialects/responses/read-responses.ts'
import type { JsonObject } from '../../../../src/core/lib/text/json.ts'
import { contentText } from '../../../../src/core/protocol/turn/turn-texts.ts'
import { type CoreMock, mockWith } from '../../../support/core.ts'
import '../../../support/property-seed.ts'

const TOOL = { type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } }
const ask = (body: object) => ({ path: '/v1/responses', body: { model: 'echo-1', ...body } })
const user = (content: string): JsonObject => ({ role: 'user', content })
/** The messages of a turn, with each content as one text. */
const textsOf = (messages: readonly JsonObject[]): readonly unknown[] =>
  messages.map(({ content, ...rest }) => ({ ...rest, text: contentText(content) }))
const turnOf = (mock: CoreMock, body: object) => textsOf(mock.context(ask(body)).request.turn.messages)

/** One call of a random conversation, which goes on from any earlier one. */
interface Step {
  readonly from: number
  readonly text: string
  readonly isList: boolean
  readonly calls: boolean
  readonly instructions: string | undefined
}

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.record({
    from: fc.nat(20),
    text: fc.string({ minLength: 1 }),
    isList: fc.boolean(),
    calls: fc.boolean(),
    instructions: fc.option(fc.string(), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 12 },
)

test('the messages of a turn are those of all calls and answers before it, and its own', () => {
  fc.assert(
    fc.property(steps, (conversation) => {
      const mock = mockWith({ replies: [{ when: { user: '/^call/' }, call: { name: 'look_up', arguments: {} } }] })
      const known: { readonly id: string | undefined; readonly items: readonly JsonObject[] }[] = [
        { id: undefined, items: [] },
      ]
      for (const { from, text, isList, calls, instructions } of conversation) {
        const before = known[from % known.length]!
        const content = calls ? `call ${text}` : `say ${text}`
        const last = before.items.at(-1)
        const outputs = last?.type === 'function_call' ? [outputOf(last)] : []
        const own = [...outputs, user(content)]
        const input = outputs.length === 0 && !isList ? content : own
        const body = { input, instructions, tools: [TOOL], previous_response_id: before.id }
        const head = instructions === undefined ? [] : [{ role: 'developer', content: instructions }]
        expect(turnOf(mock, body)).toEqual(textsOf([...head, ...readItems([...before.items, ...own])]))
        const { id, output } = mock.json(ask(body))
        known.push({ id, items: [...before.items, ...own, ...output] })
      }
    }),
    { numRuns: 60 },
  )
})

const outputOf = ({ call_id }: JsonObject): JsonObject => ({ type: 'function_call_output', call_id, output: 'found' })

test('a reference to a call is the call, beside the others of its message', () => {
  const mock = mockWith({ replies: [{ when: { turn: 1 }, call: [{ name: 'look_up' }, { name: 'look_up' }] }] })
  const { output } = mock.json(ask({ input: 'x', tools: [TOOL] }))
  expect(output).toMatchObject([{ type: 'function_call' }, { type: 'function_call' }])
  const references = output.map(({ id }: { id: string }) => ({ type: 'item_reference', id }))
  const outputs = output.map(outputOf)
  expect(turnOf(mock, { input: [user('x'), ...references, ...outputs] })).toEqual(
    turnOf(mock, { input: [user('x'), ...output, ...outputs] }),
  )
})

test('an item that is referenced again, or is in the chain, is not repeated', () => {
  const mock = mockWith()
  const { id, output } = mock.json(ask({ input: 'x' }))
  const reference = { type: 'item_reference', id: output[0].id }
  expect(turnOf(mock, { input: [reference, reference] })).toHaveLength(1)
  expect(turnOf(mock, { input: [reference, user('y')], previous_response_id: id })).toHaveLength(3)
})

test('references that lead to references end', () => {
  const mock = mockWith()
  const one = mock.json(ask({ input: 'x' }))
  const referring = mock.json(ask({ input: [{ type: 'item_reference', id: one.output[0].id }, user('y')] }))
  expect(turnOf(mock, { input: 'z', previous_response_id: referring.id })).toHaveLength(4)
})

test('a stored call needs the reasoning that was stored before it, as an item, a reference or in the chain', () => {
  const replies = [{ when: { turn: 1 }, call: { name: 'look_up' } }]
  const mock = mockWith({ models: { o3: { reasoning: true } }, replies })
  const askO3 = (body: object) => mock.json(ask({ model: 'o3', tools: [TOOL], reasoning: { effort: 'high' }, ...body }))
  const question = 'What is the weather?'
  const { id, output } = askO3({ input: question })
  const [reasoning, call] = output
  expect(reasoning.type).toBe('reasoning')
  const result = outputOf(call)
  expect(askO3({ input: [user(question), call, result] }).error.message).toBe(
    `Item '${call.id}' of type 'function_call' was provided without its required 'reasoning' item: '${reasoning.id}'.`,
  )
  const { id: _, ...withoutId } = call
  for (const input of [
    [user(question), reasoning, call, result],
    [user(question), { type: 'item_reference', id: reasoning.id }, call, result],
    [user(question), withoutId, result],
  ])
    expect(askO3({ input }).status).toBe('completed')
  expect(askO3({ input: [result], previous_response_id: id }).status).toBe('completed')
})

test('a message with the role item_reference in a chat is no reference', () => {
  const { conversation, turn } = mockWith().context({
    body: { model: 'echo-1', messages: [{ role: 'item_reference', id: 'x' }], previous_response_id: 'resp_1' },
  }).request
  expect(conversation).toBeUndefined()
  expect(turn.messages).toHaveLength(1)
})

test('a chain of 10,000 responses is read once', () => {
  const mock = mockWith()
  const hex = (number: number): string => number.toString(16).padStart(16, '0')
  const idOf = (number: number): string => `resp_${hex(number)}0068784ced${'0'.repeat(24)}`
  const { id: sessionId } = mock.context(ask({ input: 'x' })).session
  for (let number = 0; number < 10_000; number++) {
    const previousId = number === 0 ? undefined : idOf(number - 1)
    const request = JSON.stringify({ input: `question ${number}`, previous_response_id: previousId })
    const output = [
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: `answer ${number}` }] },
    ]
    const answer = JSON.stringify({ output })
    mock.apply({
      type: 'store-answer',
      answer: {
        type: 'response',
        sessionId,
        id: idOf(number),
        previousId,
        references: [],
        itemIds: [],
        answer,
        request,
      },
    })
  }
  const { turn } = mock.context(ask({ input: 'last', previous_response_id: idOf(9999) })).request
  expect(turn.messages).toHaveLength(20_001)
  expect(mock.json(ask({ input: 'last', previous_response_id: idOf(9999) })).output[0].content[0].text).toBe('last')
})
