/** The mends of refused requests: for each error that depends on the model, the change that makes the request pass. */
import { LOGPROBS } from '../core/dialects/responses/read-responses.ts'
import { isObject, type JsonObject } from '../core/lib/text/json.ts'
import { quotedList } from '../core/lib/text/wording.ts'
import type { errorKinds } from '../core/protocol/errors/error-catalogue.ts'
import type { Model } from '../core/scenario/compile/compile.ts'
import type { Refusal } from '../engine/index.ts'

export interface Mend {
  /** The change, for people: `send max_completion_tokens instead of max_tokens`. */
  readonly text: string
  /** Makes the change in a body; undefined where only the author of the app can. */
  readonly apply?: (body: JsonObject) => JsonObject
  /** True if the changed request asks for something else, so that its answer cannot be compared. */
  readonly isStandIn?: true
  /** Fields of the answer that the change decides. Default: the parameter. */
  readonly settles?: readonly string[]
}

type MendOf = (refusal: Refusal, model: Model) => Mend

/** A body without the field at a path such as `reasoning.effort`. */
function omit(body: JsonObject, path: string): JsonObject {
  const [name = '', ...rest] = path.split('.')
  const { [name]: value, ...others } = body
  if (rest.length === 0) return others
  return isObject(value) ? { ...body, [name]: omit(value, rest.join('.')) } : body
}

const leaveOut = (paths: readonly string[], more = ''): Mend => ({
  text: `leave out ${paths.join(' and ')}${more}`,
  apply: (body) => paths.reduce(omit, body),
})

const put = (name: string, value: unknown, text = `send ${name}: ${value} at most`): Mend => ({
  text,
  apply: (body) => ({ ...body, [name]: value }),
})

/** A parameter that the model refuses. Some models take it when they do not reason. */
const withoutParameter: MendOf = ({ param }, { supports }) => {
  const path = param ?? ''
  const isTaken = (supports?.atEffortNone as readonly string[] | undefined)?.includes(path)
  const names = path === 'logprobs' ? [path, 'top_logprobs'] : [path]
  return leaveOut(names, isTaken ? ", or set reasoning_effort to 'none'" : '')
}

const sampling: MendOf = ({ param }, { supports }) => {
  const more = supports?.efforts?.includes('none') ? ", or set reasoning.effort to 'none'" : ''
  return param === 'include' ? withoutIncluded(LOGPROBS, more) : leaveOut([param ?? ''], more)
}

const withoutIncluded = (value: string, more = ''): Mend => ({
  text: `leave out '${value}' of include${more}`,
  apply: (body) => ({ ...body, include: (body.include as unknown[]).filter((one) => one !== value) }),
  ...(value === LOGPROBS && { settles: ['logprobs'] }),
})

const listed: MendOf = ({ param, name }, { supports }) => {
  const efforts = name === 'unsupported-effort' ? (supports?.responsesEfforts ?? supports?.efforts) : supports?.efforts
  const values = (param?.endsWith('effort') ? efforts : param?.endsWith('verbosity') && supports?.verbosity) || []
  const other = values.length === 0 ? '' : `, or send ${quotedList(values, 'or')}`
  return leaveOut([param ?? ''], other)
}

const CALLED_TOOLS = ['tools', 'tool_choice', 'parallel_tool_calls']

/** A mend that needs a decision of the author. */
const say = (text: string) => (): Mend => ({ text })
const shorter = say('shorten the messages, or choose a model with a larger input limit')
const otherModel = say('choose another model: api-mock list --models')
const responsesOnly = say('call /v1/responses, or choose a model of chat')

const MENDS: Partial<Record<keyof typeof errorKinds, MendOf>> = {
  'max-tokens-unsupported': () => ({
    text: 'send max_completion_tokens instead of max_tokens',
    apply: ({ max_tokens, ...body }) => ({ ...body, max_completion_tokens: max_tokens }),
  }),
  'max-tokens-too-large': ({ param }, { maxOutputTokens }) => put(param ?? '', maxOutputTokens),
  'unsupported-parameter': withoutParameter,
  'unsupported-default': withoutParameter,
  'unknown-parameter': withoutParameter,
  'unsupported-setting': withoutParameter,
  'web-search-unsupported': withoutParameter,
  'unsupported-sampling': sampling,
  'unrecognized-argument': () => leaveOut(['reasoning_effort']),
  'logprobs-forbidden': () => ({ ...leaveOut(['logprobs', 'top_logprobs']), settles: ['logprobs'] }),
  'unsupported-value': listed,
  'unsupported-effort': listed,
  'encrypted-content-unsupported': () => withoutIncluded('reasoning.encrypted_content'),
  'top-logprobs-too-many': (_, { supports }) => put('top_logprobs', supports?.topLogprobs),
  'integer-above-max': (_, { supports }) => put('n', supports?.choices),
  'tools-with-effort': (_, { supports }) =>
    supports?.functionTools === 'in responses only'
      ? { ...leaveOut(CALLED_TOOLS), text: 'function tools of this model: call /v1/responses', isStandIn: true }
      : {
          ...put(
            'reasoning_effort',
            'none',
            "function tools of this model: call /v1/responses, or set reasoning_effort to 'none'",
          ),
          settles: ['finish_reason', 'reasoning_tokens'],
        },
  'tools-unsupported': () => ({ ...leaveOut(CALLED_TOOLS), text: 'leave out the tools', isStandIn: true }),
  'json-schema-unsupported': ({ param }) => ({
    ...leaveOut([param ?? '']),
    text: "use type 'json_object', and check the answer against the schema yourself",
    isStandIn: true,
  }),
  'output-limit-reached': () => ({
    ...leaveOut(['max_completion_tokens']),
    text: 'raise max_completion_tokens: reasoning tokens count too',
    isStandIn: true,
  }),
  'image-unsupported': say('choose a model that takes images'),
  'audio-unsupported': say('choose a model that takes audio'),
  'audio-required': say('send audio or ask for it, or choose a model of text'),
  'responses-only': responsesOnly,
  'not-a-chat-model': responsesOnly,
  'unknown-model': otherModel,
  'requested-model-unknown': otherModel,
  'deprecated-model': otherModel,
  'context-length': shorter,
  'context-length-with-output': say('shorten the messages, or send a smaller limit for the answer'),
  'input-tokens': shorter,
  'context-window': shorter,
}

/** The mend of a refusal; without one, the message of the service says what to do. */
export const mendOf = (refusal: Refusal, model: Model): Mend =>
  MENDS[refusal.name as keyof typeof errorKinds]?.(refusal, model) ?? {
    text: 'change the request as the message says',
  }
