/**
 * The fields of a reply rule: its answer is a text, tool calls, a refusal, a fault or a recording.
 *
 *   { when: { user: rain }, say: Take an umbrella. }
 *   { when: { request: { model: gpt-4o, ... } }, answer: { status: 200, body: '{ ... }' } }
 */
import * as z from 'zod'
import { isObject, type JsonObject, toList } from '../../lib/text/json.ts'
import { ENDPOINTS, isModelEndpoint } from '../../protocol/request/endpoints.ts'
import { findPlaceholderProblems, VECTOR_PLACE } from '../compile/template.ts'
import { takesPatterns } from '../conditions/condition-table.ts'
import { FUNCTION } from '../scenario-source.ts'
import { checkFault, checkLoneOptions, faultName, optionFields, when } from './fault-fields.ts'
import {
  type AddProblem,
  anyMap,
  checkedBy,
  codeFunction,
  count,
  DURATION,
  duration,
  either,
  flag,
  isMapWithKnownKeys,
  list,
  mapOf,
  nonEmpty,
  oneOf,
  oneOrMany,
  text,
} from './fields.ts'
import { pace } from './pace-fields.ts'

// Recorded answers

/** Checks that exactly one of two fields is given. */
const checkEither =
  (one: string, other: string) =>
  (value: JsonObject, add: AddProblem): void => {
    if ((value[one] === undefined) === (value[other] === undefined))
      add([], `expected either ${one} or ${other}, got both or neither.`)
  }

const recordedEvent = mapOf(
  {
    at: duration.describe(`when it arrived, measured from the call: ${DURATION}`),
    data: text(/^[^\r\n]*$/, 'a line of text').describe('the text after "data: "; a blank line follows it'),
    text: z.string({ error: 'text' }).describe('the whole event, if it is not a data line'),
  },
  "an event, such as { at: 120ms, data: '[DONE]' }",
  ['at'],
).superRefine(...checkedBy([checkEither('data', 'text')]))
// No group for each four characters: repeated a few million times, it overflows the stack of the engine.
const BASE64_TEXT = /^[A-Za-z0-9+/]*={0,2}$/
const base64 = text(BASE64_TEXT, 'base64', (value) => value.length % 4 === 0)
const vector = mapOf(
  {
    base64: base64.describe('base64 that is sent as it is'),
    floats: base64.describe('32-bit floats, little-endian, in base64; sent as decimals'),
    between: text(/^[ \t\r\n]*,[ \t\r\n]*$/, 'a comma, with blanks around it').describe(
      'with `floats`: the separator. Default: a comma',
    ),
    exponents: flag.describe('with `floats`: whether 0.00005 is written 5e-05'),
  },
  'a vector, such as { floats: <base64> }',
).superRefine(...checkedBy([checkEither('base64', 'floats')]))
const CONTENT_TYPE = 'a content type, such as application/json or text/html; charset=utf-8'
const ANSWER = 'a recorded answer, such as { status: 200, body: "{}" }, or a list of these'
// No other headers can be recorded: content type and retry-after are the ones that clients act on.
const answer = mapOf(
  {
    status: count(200, 599).describe('a status from 200 to 599. Default: 200'),
    contentType: text(/^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/, CONTENT_TYPE).describe(
      `${CONTENT_TYPE}. Default: JSON for body, server-sent events for events`,
    ),
    retryAfter: duration.describe('the wait in retry-after and retry-after-ms'),
    wait: duration.describe(`the wait until the answer began: ${DURATION}`),
    body: z.string({ error: 'text' }).describe('the body, byte for byte'),
    vectors: list(vector, 'a list of vectors').describe('the values for the {{vector}} placeholders, in order'),
    events: list(recordedEvent, 'a list of events').describe('the events of a stream'),
    cut: flag.describe('true if the connection broke after this'),
  },
  ANSWER,
).superRefine(...checkedBy([checkEither('body', 'events'), checkVectors], isMapWithKnownKeys))

/** Checks that each {{vector}} placeholder has a vector. */
function checkVectors({ body, vectors }: JsonObject, add: AddProblem): void {
  if (!Array.isArray(vectors)) return
  const places = typeof body === 'string' ? body.split(VECTOR_PLACE).length - 1 : 0
  const message = `expected ${places} vectors, one for each ${VECTOR_PLACE} in the body, got ${vectors.length}.`
  if (places !== vectors.length) add(['vectors'], message)
}

// Other answers, and the rule

const SAY = 'a text, an object (sent as JSON), or a list of these'
const replyText = z.union([z.string(), anyMap(SAY), codeFunction('SayFunction', SAY)], { error: SAY })
const CALL = 'a call, such as { name: get_weather, arguments: { city: Paris } }, or a list of calls made at once'
const ARGUMENTS = 'an object, or a text that is sent as it is'
const call = mapOf(
  {
    name: nonEmpty('the name of a tool').describe('the tool; the rule applies only if the request offers it'),
    arguments: either([z.string(), anyMap(ARGUMENTS)], ARGUMENTS).describe(
      `${ARGUMENTS}. Default: generated from the tool's JSON Schema`,
    ),
  },
  CALL,
  ['name'],
)

const REPLY = 'a function, which only a scenario in code can have (in a file, use say, call or refuse)'

/** The fields that change an answer, each with the answers that it may stand beside. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  finish: ['say'],
  items: ['say'],
  pace: ['say', 'call', 'refuse', 'reply'],
  delay: ['say', 'call', 'refuse', 'reply'],
}

const ITEM = '{ type: web_search_call, status: completed }'

/** The fields of which a reply rule has exactly one; in code, `reply` is another. */
export const REPLY_FIELDS = ['say', 'call', 'refuse', 'answer', 'fault'] as const

export const reply = mapOf(
  {
    when,
    say: oneOrMany(replyText, SAY).describe(
      `${SAY}, used in turn for each key; the last repeats; in code also a function`,
    ),
    call: either([call, list(call, CALL).min(1, { error: CALL }), codeFunction('CallFunction', CALL)], CALL).describe(
      `${CALL}; in code also a function`,
    ),
    reply: codeFunction('ReplyFunction', REPLY).describe(
      'in code: a function that decides between say, call and refuse',
    ),
    refuse: nonEmpty('a text').describe('refuses with this text'),
    finish: oneOf(['length', 'content_filter']).describe('with `say`: the finish_reason'),
    items: list(anyMap(ITEM), `a list of items, such as ${ITEM}`).describe(
      'with `say`: items of a hosted tool that a response has before the text, as they are; an id is added. A request of this rule may declare hosted tools. Chats leave them out',
    ),
    pace: pace.describe('the latency of the answer; fields left out are those that the call has without the rule'),
    delay: duration.describe(`short for pace with firstToken alone: ${DURATION}`),
    answer: oneOrMany(answer, ANSWER).describe('recorded answers, used in turn for each key; the last repeats'),
    fault: faultName,
    ...optionFields,
  },
  'a rule, such as { when: { user: hello }, say: Hi! }',
)
  .superRefine(...checkedBy([checkReply], isMapWithKnownKeys))
  .superRefine(...checkedBy([checkFault, checkLoneOptions, checkPlaceholders]))
  .describe('A rule. The first rule that matches answers.')

/** Checks that a reply has one answer, and that only chats are answered with text. */
function checkReply(rule: JsonObject, add: AddProblem): void {
  const given = [...REPLY_FIELDS, 'reply'].filter((name) => rule[name] !== undefined)
  const [kind, second] = given
  const expected = `expected one of ${REPLY_FIELDS.join(', ')}`
  if (kind === undefined) return add([], `${expected}, got none of them. Add one.`)
  if (second !== undefined)
    return add([second], `${expected}, got ${given.join(' and ')}. Keep one, and remove the others.`, 'key')
  for (const [field, answers] of Object.entries(BESIDE))
    if (rule[field] !== undefined && !answers.includes(kind))
      add([field], `expected '${field}' beside ${answers.join(', ')}, got it beside ${kind}.`, 'key')
  if (toList(rule.say).includes(FUNCTION))
    add(['say'], `expected a text, got '${FUNCTION}', which stands for a function of a scenario in code.`)
  if (rule.pace !== undefined && rule.delay !== undefined)
    add(['delay'], "expected either 'pace' or 'delay', got both. Write delay as firstToken of pace.", 'key')
  // The others answer with text, which only some endpoints do.
  if (kind === 'fault' || kind === 'answer') return
  const endpoint = isObject(rule.when) ? rule.when.endpoint : undefined
  // The schema reports a wrong endpoint.
  if (typeof endpoint !== 'string' || !isModelEndpoint(endpoint) || ENDPOINTS[endpoint].hasMessages) return
  const message = `expected 'chat' or 'responses' beside ${kind}, got '${endpoint}'. Only these are answered with text.`
  add(['when', 'endpoint'], message)
}

/** Checks that every placeholder is a value of the call or a named group of the rule's own patterns, and that objects are JSON. */
function checkPlaceholders({ say, call, refuse, when }: JsonObject, add: AddProblem): void {
  const patterns = Object.entries(isObject(when) ? when : {})
    .flatMap(([name, wanted]) => (takesPatterns(name) ? toList(wanted) : []))
    .filter((value) => typeof value === 'string')
  const check = (value: unknown, path: readonly (string | number)[]): void => {
    if (typeof value === 'string') for (const message of findPlaceholderProblems(value, patterns)) add(path, message)
    // In JSON, a function in an object would be left out without a word. In the list of `say`, it is an answer.
    const isInObject = path.slice(1).some((part) => typeof part === 'string')
    if (typeof value === 'function' && isInObject)
      add(path, `expected JSON, got a function. Make ${path[0]} itself a function.`)
    if (typeof value !== 'object' || value === null) return
    for (const [key, item] of Object.entries(value)) check(item, [...path, Array.isArray(value) ? Number(key) : key])
  }
  for (const [field, value] of Object.entries({ say, call, refuse })) check(value, [field])
}
