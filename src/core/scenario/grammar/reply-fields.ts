/** The fields of a reply rule: its conditions, and what it says, calls, refuses, fails with or has recorded. */

import * as z from 'zod'
import { MODEL_ENDPOINTS } from '../../request/endpoints.ts'
import { checkAnswer } from './answer-checks.ts'
import { faultName, optionFields, optionRules } from './fault-fields.ts'
import {
  anything,
  DURATION,
  duration,
  flag,
  isWholeWithKnownKeys,
  list,
  NAMES,
  NUMBERS,
  names,
  numbers,
  oneOf,
  oneOrMany,
  only,
  plain,
  REQUEST,
  report,
  request,
  STATES,
  TEXTS,
  text,
  texts,
} from './fields.ts'
import { checkFault, checkLoneOptions, checkPlaceholders, checkSpeech, SPEECHES } from './rule-checks.ts'

const conditions = {
  user: texts.optional().meta({ description: `the last user message: ${TEXTS}` }),
  system: texts.optional().meta({ description: `the system or developer text: ${TEXTS}` }),
  toolResult: texts.optional().meta({ description: `the last message, where it is a tool's result: ${TEXTS}` }),
  model: names.optional().meta({ description: `the model asked for: ${NAMES}` }),
  key: names.optional().meta({ description: `the API key: ${NAMES}` }),
  tool: names.optional().meta({ description: `a tool that the call offers: ${NAMES}` }),
  endpoint: oneOf(MODEL_ENDPOINTS)
    .optional()
    .meta({ description: `the endpoint: ${MODEL_ENDPOINTS.join(' or ')}` }),
  stream: flag().optional().meta({ description: 'whether the call asks for a stream: true or false' }),
  attempt: numbers.optional().meta({ description: `how often this key has sent this very request: ${NUMBERS}` }),
  state: oneOrMany(plain(STATES), STATES)
    .optional()
    .meta({ description: `the state that the scenario is in: ${STATES}` }),
  turn: numbers.optional().meta({ description: `the number of user messages so far: ${NUMBERS}` }),
  request: request.optional().meta({
    description: `the whole request, ${REQUEST}; the order of keys makes no difference, [redacted] is any text`,
  }),
}
export const when = only(conditions, 'conditions, such as { user: hello }').meta({
  description: 'Conditions; all of them must hold.',
})

/** The names that stand under `when`. */
export const CONDITION_NAMES: readonly string[] = Object.keys(conditions)

const SAY =
  'a text, an object (said as JSON), or a list of these said one after the other for each key (the last one stays)'
const said = z.union([z.string(), anything(SAY)], { error: SAY })
const CALL = 'a call, such as { name: get_weather, arguments: { city: Paris } }, or a list of calls made at once'
const ARGUMENTS = 'an object, or a text that is sent as it is'
const call = only(
  {
    name: plain('the name of a tool').meta({ description: 'the tool; the rule speaks only if the request offers it' }),
    arguments: z
      .union([z.string(), anything(ARGUMENTS)], { error: ARGUMENTS })
      .optional()
      .meta({ description: `${ARGUMENTS}; absent: drawn from the tool's JSON Schema` }),
  },
  CALL,
)
const CONTENT_TYPE = 'a content type, such as application/json or text/html; charset=utf-8'
const recordedEvent = only(
  {
    at: duration.meta({ description: `when it came, counted from the call: ${DURATION}` }),
    data: text(/^[^\r\n]*$/, 'a line of text')
      .optional()
      .meta({ description: 'what follows "data: "; a blank line ends it' }),
    text: z.string({ error: 'text' }).optional().meta({ description: 'the event as it is, where it is no data line' }),
  },
  "an event, such as { at: 120ms, data: '[DONE]' }",
)
const BASE64 = 'base64'
const base64 = text(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, BASE64)
const vector = only(
  {
    base64: base64.optional().meta({ description: 'goes out as it is' }),
    floats: base64.optional().meta({ description: 'float32s, little-endian, in base64; goes out as decimals' }),
    between: text(/^[ \t\r\n]*,[ \t\r\n]*$/, 'a comma, with blanks around it')
      .optional()
      .meta({ description: 'beside floats: what stands between two of them; default a comma' }),
    exponents: flag().optional().meta({ description: 'beside floats: 0.00005 is written 5e-05' }),
  },
  'a vector, such as { floats: <base64> }',
)
const ANSWER = 'a recorded answer, such as { status: 200, body: "{}" }, or a list of these'
const STATUS = 'a status from 200 to 599'
// There is no place for a header here, so none can be written down: content type and retry-after are what clients act on.
const answer = only(
  {
    status: z
      .int({ error: STATUS })
      .min(200, { error: STATUS })
      .max(599, { error: STATUS })
      .optional()
      .meta({
        description: `${STATUS}; default 200`,
      }),
    contentType: text(/^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/, CONTENT_TYPE)
      .optional()
      .meta({ description: `${CONTENT_TYPE}; default JSON for a body, server-sent events for events` }),
    retryAfter: duration.optional().meta({ description: 'what retry-after and retry-after-ms say' }),
    wait: duration.optional().meta({ description: `how long until it began: ${DURATION}` }),
    body: z.string({ error: 'text' }).optional().meta({ description: 'the body, byte for byte' }),
    vectors: list(vector, 'a list of vectors')
      .optional()
      .meta({ description: 'what stands in the places marked {{vector}} in the body, in their order' }),
    events: list(recordedEvent, 'a list of events').optional().meta({ description: 'a stream' }),
    cut: flag().optional().meta({ description: 'whether it broke off there' }),
  },
  ANSWER,
).superRefine(...report(checkAnswer, isWholeWithKnownKeys))

const FINISHES = ['length', 'content_filter'] as const
export const reply = only(
  {
    when: when.optional(),
    say: oneOrMany(said, SAY).optional(),
    call: oneOrMany(call, CALL).optional(),
    refuse: plain('the words of a refusal').optional().meta({ description: 'a refusal: its words stand in `refusal`' }),
    finish: oneOf(FINISHES)
      .optional()
      .meta({ description: 'beside say: the finish_reason, as if the text had been broken off there' }),
    answer: oneOrMany(answer, ANSWER)
      .optional()
      .meta({ description: 'answers of a real service, given one after the other for each key (the last one stays)' }),
    fault: faultName.optional(),
    ...optionFields,
  },
  'a rule, such as { when: { user: hello }, say: Hi! }',
)
  .superRefine(...report(checkSpeech, isWholeWithKnownKeys))
  .superRefine(...report(checkFault))
  .superRefine(...report(checkLoneOptions))
  .superRefine(...report(checkPlaceholders))
  .meta({
    description: 'A rule: when it matches, it speaks. The first that matches wins.',
    oneOf: SPEECHES.map((name) => ({ required: [name] })),
    dependentRequired: { finish: ['say'] },
    ...optionRules,
  })
