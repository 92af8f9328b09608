/**
 * The mends of refused requests: for each error that depends on the model, the change that makes the request pass.
 *
 * The refusal `max-tokens-unsupported` of `{ max_tokens: 9 }` has the text `send max_completion_tokens instead of
 * max_tokens`, and its `apply` makes `{ max_completion_tokens: 9 }` of the body.
 */
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

/** The mend of a refusal; without one, the message of the service says what to do. */
export function mendOf(refusal: Refusal, model: Model): Mend {
  const mend = MENDS[refusal.name as keyof typeof errorKinds] ?? { text: 'change the request as the message says' }
  return typeof mend === 'function' ? mend(refusal, model) : mend
}

const TOOL_PARAMETERS = ['tools', 'tool_choice', 'parallel_tool_calls']

const SHORTEN = { text: 'shorten the messages, or choose a model with a larger input limit' }
const CHOOSE_MODEL = { text: 'choose another model: api-mock list --models' }
const CALL_RESPONSES = { text: 'call /v1/responses, or choose a model of chat' }

const MENDS: Partial<Record<keyof typeof errorKinds, Mend | ((refusal: Refusal, model: Model) => Mend)>> = {
  'max-tokens-unsupported': {
    text: 'send max_completion_tokens instead of max_tokens',
    apply: ({ max_tokens, ...body }) => ({ ...body, max_completion_tokens: max_tokens }),
  },
  'max-tokens-too-large': ({ param }, { maxOutputTokens }) => sendAtMost(param ?? '', maxOutputTokens),
  'unsupported-parameter': omitParameter,
  'unsupported-default': omitParameter,
  'unknown-parameter': omitParameter,
  'unsupported-setting': omitParameter,
  'web-search-unsupported': omitParameter,
  'unsupported-sampling': ({ param }, { supports }) => {
    const alternative = supports?.efforts?.includes('none') ? ", or set reasoning.effort to 'none'" : ''
    // In a request to /v1/responses, `include` can ask for logprobs.
    return param === 'include' ? omitIncluded(LOGPROBS, alternative) : omit([param ?? ''], alternative)
  },
  'unrecognized-argument': omit(['reasoning_effort']),
  'logprobs-forbidden': { ...omit(['logprobs', 'top_logprobs']), settles: ['logprobs'] },
  'unsupported-value': omitOrSendListed,
  'unsupported-effort': omitOrSendListed,
  'encrypted-content-unsupported': omitIncluded('reasoning.encrypted_content'),
  'top-logprobs-too-many': (_, { supports }) => sendAtMost('top_logprobs', supports?.topLogprobs),
  'integer-above-max': (_, { supports }) => sendAtMost('n', supports?.choices),
  'tools-with-effort': (_, { supports }) =>
    supports?.functionTools === 'in responses only'
      ? { ...omit(TOOL_PARAMETERS), text: 'function tools of this model: call /v1/responses', isStandIn: true }
      : {
          text: "function tools of this model: call /v1/responses, or set reasoning_effort to 'none'",
          apply: (body) => ({ ...body, reasoning_effort: 'none' }),
          settles: ['finish_reason', 'reasoning_tokens'],
        },
  'tools-unsupported': { ...omit(TOOL_PARAMETERS), text: 'leave out the tools', isStandIn: true },
  'json-schema-unsupported': ({ param }) => ({
    ...omit([param ?? '']),
    text: "use type 'json_object', and check the answer against the schema yourself",
    isStandIn: true,
  }),
  'output-limit-reached': {
    ...omit(['max_completion_tokens']),
    text: 'raise max_completion_tokens: reasoning tokens count too',
    isStandIn: true,
  },
  'image-unsupported': { text: 'choose a model that takes images' },
  'audio-unsupported': { text: 'choose a model that takes audio' },
  'audio-required': { text: 'send audio or ask for it, or choose a model of text' },
  'responses-only': CALL_RESPONSES,
  'not-a-chat-model': CALL_RESPONSES,
  'unknown-model': CHOOSE_MODEL,
  'requested-model-unknown': CHOOSE_MODEL,
  'deprecated-model': CHOOSE_MODEL,
  'context-length': SHORTEN,
  'context-length-with-output': { text: 'shorten the messages, or send a smaller limit for the answer' },
  'input-tokens': SHORTEN,
  'context-window': SHORTEN,
}

/** @param paths fields of the body, such as `reasoning.effort` */
function omit(paths: readonly string[], alternative = ''): Mend {
  return { text: `leave out ${paths.join(' and ')}${alternative}`, apply: (body) => paths.reduce(withoutField, body) }
}

/** A body without the field at a path such as `reasoning.effort`. */
function withoutField(body: JsonObject, path: string): JsonObject {
  const [name = '', ...rest] = path.split('.')
  const { [name]: value, ...others } = body
  if (rest.length === 0) return others
  return isObject(value) ? { ...body, [name]: withoutField(value, rest.join('.')) } : body
}

function sendAtMost(name: string, value: number | undefined): Mend {
  return { text: `send ${name}: ${value} at most`, apply: (body) => ({ ...body, [name]: value }) }
}

/** Leaves out a parameter that the model refuses. Some models take it when they do not reason. */
function omitParameter({ param }: Refusal, { supports }: Model): Mend {
  const path = param ?? ''
  const isTaken = (supports?.atEffortNone as readonly string[] | undefined)?.includes(path)
  const paths = path === 'logprobs' ? [path, 'top_logprobs'] : [path]
  return omit(paths, isTaken ? ", or set reasoning_effort to 'none'" : '')
}

/** Leaves out one value of the list `include`. */
function omitIncluded(value: string, alternative = ''): Mend {
  return {
    text: `leave out '${value}' of include${alternative}`,
    apply: (body) => ({ ...body, include: (body.include as unknown[]).filter((included) => included !== value) }),
    ...(value === LOGPROBS && { settles: ['logprobs'] }),
  }
}

/** Leaves out a parameter with a value that the model refuses, and names the efforts or verbosities that it takes. */
function omitOrSendListed({ param, name }: Refusal, { supports }: Model): Mend {
  const { efforts, responsesEfforts = efforts, verbosity } = supports ?? {}
  let values: readonly string[] = []
  if (param?.endsWith('effort')) values = (name === 'unsupported-effort' ? responsesEfforts : efforts) ?? []
  else if (param?.endsWith('verbosity')) values = verbosity ?? []
  return omit([param ?? ''], values.length === 0 ? '' : `, or send ${quotedList(values, 'or')}`)
}
