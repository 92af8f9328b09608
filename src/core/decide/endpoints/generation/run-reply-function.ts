/** Calls a function of a reply rule, and checks what it returns. */

import { isObject, toList } from '../../../lib/text/json.ts'
import { truncate } from '../../../lib/text/wording.ts'
import { describeGiven } from '../../../protocol/errors/check-options.ts'
import type { UnfinishedReason } from '../../../protocol/turn/assistant-message.ts'
import type { PlacedFunction, ReplyCall, ReplyText } from '../../../protocol/turn/reply-function.ts'
import { describeAll } from '../../../scenario/check/describe-values.ts'
import type { CallContext } from '../../call/call-context.ts'
import type { RuleMatch } from '../../call/call-rules.ts'

/** An answer in the form of a rule: one of say, call and refuse. */
interface Script {
  readonly say?: ReplyText | undefined
  readonly call?: readonly ReplyCall[] | undefined
  readonly refuse?: string | undefined
  readonly finish?: UnfinishedReason | undefined
}

const EXPECTED = {
  say: 'a text, or an object that is sent as JSON',
  call: 'a call such as { name: "get_weather", arguments: { city: "Paris" } }, or a list of calls',
  reply: 'a text, or an object with one of say, call and refuse',
}
const NO_PROMISES =
  'but replies are synchronous. Load what the function needs before the call, and return the answer itself. For a late answer, add a delay to the rule'
const MAX_PROBLEM_LENGTH = 500

/** The answer that the function returns for a call, or a sentence that says what is wrong with it. */
export function runReplyFunction(
  { path, field, run }: PlacedFunction,
  { groups }: RuleMatch,
  context: CallContext,
): Script | { readonly problem: string } {
  let given: unknown
  let returned: unknown
  let hasPromise = false
  try {
    const { turn, user, system, toolResult, attempt } = context.rules.facts
    const { messages, tools, format, stops } = turn
    // Bodies are shared by calls, so the function may change a copy only.
    const copied = copyOf({ messages, tools, format, stops, groups })
    given = run({ ...turn, ...copied, user, system, toolResult, attempt })
    returned = copyOf(given, (_, part) => {
      if (!isObject(part) || typeof part.then !== 'function') return part
      hasPromise = true
      // Otherwise a promise that rejects would end the process.
      part.then(undefined, () => {})
      return undefined
    })
  } catch (error) {
    return { problem: `${path} threw: ${truncate(reasonOf(error), MAX_PROBLEM_LENGTH)}` }
  }
  if (hasPromise) return { problem: `${path} returned a promise, ${NO_PROMISES}.` }
  const script = field !== 'reply' ? { [field]: returned } : typeof returned === 'string' ? { say: returned } : returned
  if (!isScript(script)) return { problem: `${path}: expected ${EXPECTED[field]}, got ${describeGiven(given)}.` }
  const { call: made, ...rest } = script
  if (made === undefined) return rest
  const call = toList(made)
  const offered = context.request.turn.tools.allowed.map(({ name }) => name)
  const missing = call.find(({ name }) => !offered.includes(name))
  if (missing === undefined) return { call }
  return {
    problem: `${path}: expected a tool that the request offers (${describeAll(offered)}), got '${missing.name}'.`,
  }
}

/** The message of what a function threw, which can be anything: reading it may throw too. */
function reasonOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : describeGiven(error)
  } catch {
    return 'an object that cannot be read'
  }
}

/** A copy made through JSON; undefined for a value that JSON cannot express. */
function copyOf<Value>(value: Value, replace?: (name: string, part: unknown) => unknown): Value {
  const json: string | undefined = JSON.stringify(value, replace)
  return json === undefined ? (undefined as Value) : JSON.parse(json)
}

const isText = (value: unknown): boolean => typeof value === 'string' || isObject(value)

function isScript(
  value: unknown,
): value is Omit<Script, 'call'> & { readonly call?: ReplyCall | readonly ReplyCall[] } {
  if (!isObject(value)) return false
  const { say, call, refuse, finish, ...others } = value
  const [first, second] = [say, call, refuse].filter((one) => one !== undefined)
  const calls: readonly unknown[] = toList(call)
  const isCall = (one: unknown): boolean =>
    isObject(one) && typeof one.name === 'string' && (one.arguments === undefined || isText(one.arguments))
  return (
    first !== undefined &&
    second === undefined &&
    Object.keys(others).length === 0 &&
    (say === undefined || isText(say)) &&
    (call === undefined || (calls.length > 0 && calls.every(isCall))) &&
    (refuse === undefined || typeof refuse === 'string') &&
    (finish === undefined || (say !== undefined && (finish === 'length' || finish === 'content_filter')))
  )
}
