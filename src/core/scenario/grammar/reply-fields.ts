/** The fields of a reply rule: its conditions, and its answer: a text, tool calls, a refusal, a fault or a recording. */
import * as z from 'zod'
import { type ConditionName, type catalogue, conditions } from '../conditions/catalogue.ts'
import { checkAnswer } from './answer-checks.ts'
import { faultName, optionFields, optionRules } from './fault-fields.ts'
import * as fields from './fields.ts'
import {
  anything,
  DURATION,
  duration,
  flag,
  isWholeWithKnownKeys,
  list,
  oneOf,
  oneOrMany,
  only,
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

const SAY = 'a text, an object (sent as JSON), or a list of these, used in turn for each key; the last repeats'
const replyText = z.union([z.string(), anything(SAY)], { error: SAY })
const CALL = 'a call, such as { name: get_weather, arguments: { city: Paris } }, or a list of calls made at once'
const ARGUMENTS = 'an object, or a text that is sent as it is'
const call = only(
  {
    name: plain('the name of a tool').meta({ description: 'the tool; the rule applies only if the request offers it' }),
    arguments: z
      .union([z.string(), anything(ARGUMENTS)], { error: ARGUMENTS })
      .optional()
      .meta({ description: `${ARGUMENTS}. Default: generated from the tool's JSON Schema` }),
  },
  CALL,
)
const CONTENT_TYPE = 'a content type, such as application/json or text/html; charset=utf-8'
const recordedEvent = only(
  {
    at: duration.meta({ description: `when it arrived, measured from the call: ${DURATION}` }),
    data: text(/^[^\r\n]*$/, 'a line of text')
      .optional()
      .meta({ description: 'the text after "data: "; a blank line follows it' }),
    text: z.string({ error: 'text' }).optional().meta({ description: 'the whole event, if it is not a data line' }),
  },
  "an event, such as { at: 120ms, data: '[DONE]' }",
)
const BASE64 = 'base64'
const base64 = text(/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, BASE64)
const vector = only(
  {
    base64: base64.optional().meta({ description: 'base64 that is sent as it is' }),
    floats: base64.optional().meta({ description: '32-bit floats, little-endian, in base64; sent as decimals' }),
    between: text(/^[ \t\r\n]*,[ \t\r\n]*$/, 'a comma, with blanks around it')
      .optional()
      .meta({ description: 'with `floats`: the separator. Default: a comma' }),
    exponents: flag().optional().meta({ description: 'with `floats`: whether 0.00005 is written 5e-05' }),
  },
  'a vector, such as { floats: <base64> }',
)
const ANSWER = 'a recorded answer, such as { status: 200, body: "{}" }, or a list of these'
const STATUS = 'a status from 200 to 599'
// No other headers can be recorded: content type and retry-after are the ones that clients act on.
const answer = only(
  {
    status: z
      .int({ error: STATUS })
      .min(200, { error: STATUS })
      .max(599, { error: STATUS })
      .optional()
      .meta({
        description: `${STATUS}. Default: 200`,
      }),
    contentType: text(/^[\w.+-]+\/[\w.+-]+(?:; ?charset=[\w-]+)?$/, CONTENT_TYPE)
      .optional()
      .meta({ description: `${CONTENT_TYPE}. Default: JSON for body, server-sent events for events` }),
    retryAfter: duration.optional().meta({ description: 'the wait in retry-after and retry-after-ms' }),
    wait: duration.optional().meta({ description: `the wait until the answer began: ${DURATION}` }),
    body: z.string({ error: 'text' }).optional().meta({ description: 'the body, byte for byte' }),
    vectors: list(vector, 'a list of vectors')
      .optional()
      .meta({ description: 'the values for the {{vector}} placeholders, in order' }),
    events: list(recordedEvent, 'a list of events').optional().meta({ description: 'the events of a stream' }),
    cut: flag().optional().meta({ description: 'true if the connection broke after this' }),
  },
  ANSWER,
).superRefine(...report(checkAnswer, isWholeWithKnownKeys))

const FINISHES = ['length', 'content_filter'] as const
export const reply = only(
  {
    when: when.optional(),
    say: oneOrMany(replyText, SAY).optional(),
    call: oneOrMany(call, CALL).optional(),
    refuse: plain('a text').optional().meta({ description: 'refuses with this text' }),
    finish: oneOf(FINISHES).optional().meta({ description: 'with `say`: the finish_reason' }),
    answer: oneOrMany(answer, ANSWER)
      .optional()
      .meta({ description: 'recorded answers, used in turn for each key; the last repeats' }),
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
