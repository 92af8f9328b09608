/** The fields of a reply rule: its conditions, and its answer: a text, tool calls, a refusal, a fault or a recording. */
import * as z from 'zod'
import { type ConditionName, type catalogue, conditions } from '../conditions/catalogue.ts'
import { checkAnswer, checkEither } from './answer-checks.ts'
import { faultName, optionFields, optionRules } from './fault-fields.ts'
import * as fields from './fields.ts'
import {
  anything,
  count,
  DURATION,
  duration,
  flag,
  isWholeWithKnownKeys,
  list,
  oneOf,
  oneOrMany,
  only,
  optional,
  plain,
  report,
  text,
} from './fields.ts'
import { checkPlaceholders } from './placeholder-checks.ts'
import { checkFault, checkLoneOptions, checkReply, REPLY_FIELDS } from './rule-checks.ts'

type Conditions = { [Name in ConditionName]: z.ZodOptional<ReturnType<(typeof catalogue)[Name]['schema']>> }
const conditionFields = Object.fromEntries(
  Object.entries(conditions).map(([name, { about, expected, schema }]) => [
    name,
    schema(fields)
      .optional()
      .meta({ description: `${about}: ${expected}` }),
  ]),
) as Conditions
export const when = only(conditionFields, 'conditions, such as { user: hello }').meta({
  description: 'Conditions. All of them must hold.',
})

const SAY = 'a text, an object (sent as JSON), or a list of these'
const replyText = z.union([z.string(), anything(SAY)], { error: SAY })
const CALL = 'a call, such as { name: get_weather, arguments: { city: Paris } }, or a list of calls made at once'
const ARGUMENTS = 'an object, or a text that is sent as it is'
const call = only(
  {
    name: plain('the name of a tool').meta({ description: 'the tool; the rule applies only if the request offers it' }),
    arguments: optional(
      z.union([z.string(), anything(ARGUMENTS)], { error: ARGUMENTS }),
      `${ARGUMENTS}. Default: generated from the tool's JSON Schema`,
    ),
  },
  CALL,
)
const CONTENT_TYPE = 'a content type, such as application/json or text/html; charset=utf-8'
const recordedEvent = only(
  {
    at: duration.meta({ description: `when it arrived, measured from the call: ${DURATION}` }),
    data: optional(text(/^[^\r\n]*$/, 'a line of text'), 'the text after "data: "; a blank line follows it'),
    text: optional(z.string({ error: 'text' }), 'the whole event, if it is not a data line'),
  },
  "an event, such as { at: 120ms, data: '[DONE]' }",
).superRefine(...report(checkEither('data', 'text')))
const BASE64 = 'base64'
// No group for each four characters: repeated a few million times, it overflows the stack of the engine.
const BASE64_TEXT = /^[A-Za-z0-9+/]*={0,2}$/
const base64 = text(BASE64_TEXT, BASE64).refine((value) => value.length % 4 === 0 || !BASE64_TEXT.test(value), {
  error: BASE64,
})
const vector = only(
  {
    base64: optional(base64, 'base64 that is sent as it is'),
    floats: optional(base64, '32-bit floats, little-endian, in base64; sent as decimals'),
    between: optional(
      text(/^[ \t\r\n]*,[ \t\r\n]*$/, 'a comma, with blanks around it'),
      'with `floats`: the separator. Default: a comma',
    ),
    exponents: optional(flag(), 'with `floats`: whether 0.00005 is written 5e-05'),
  },
  'a vector, such as { floats: <base64> }',
).superRefine(...report(checkEither('base64', 'floats')))
const ANSWER = 'a recorded answer, such as { status: 200, body: "{}" }, or a list of these'
// No other headers can be recorded: content type and retry-after are the ones that clients act on.
const answer = only(
  {
    status: optional(count(200, 599), 'a status from 200 to 599. Default: 200'),
    contentType: optional(
      text(/^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/, CONTENT_TYPE),
      `${CONTENT_TYPE}. Default: JSON for body, server-sent events for events`,
    ),
    retryAfter: optional(duration, 'the wait in retry-after and retry-after-ms'),
    wait: optional(duration, `the wait until the answer began: ${DURATION}`),
    body: optional(z.string({ error: 'text' }), 'the body, byte for byte'),
    vectors: optional(list(vector, 'a list of vectors'), 'the values for the {{vector}} placeholders, in order'),
    events: optional(list(recordedEvent, 'a list of events'), 'the events of a stream'),
    cut: optional(flag(), 'true if the connection broke after this'),
  },
  ANSWER,
).superRefine(...report(checkAnswer, isWholeWithKnownKeys))

const FINISHES = ['length', 'content_filter'] as const
export const reply = only(
  {
    when: when.optional(),
    say: optional(oneOrMany(replyText, SAY), `${SAY}, used in turn for each key; the last repeats`),
    call: oneOrMany(call, CALL).optional(),
    refuse: optional(plain('a text'), 'refuses with this text'),
    finish: optional(oneOf(FINISHES), 'with `say`: the finish_reason'),
    answer: optional(oneOrMany(answer, ANSWER), 'recorded answers, used in turn for each key; the last repeats'),
    fault: faultName.optional(),
    ...optionFields,
  },
  'a rule, such as { when: { user: hello }, say: Hi! }',
)
  .superRefine(...report(checkReply, isWholeWithKnownKeys))
  .superRefine(...report(checkFault))
  .superRefine(...report(checkLoneOptions))
  .superRefine(...report(checkPlaceholders))
  .meta({
    description: 'A rule. The first rule that matches answers.',
    oneOf: REPLY_FIELDS.map((name) => ({ required: [name] })),
    dependentRequired: { finish: ['say'] },
    ...optionRules,
  })
