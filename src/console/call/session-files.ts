/** A session as two files: its calls as the rules of a scenario, and a test for Vitest that makes them again. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { formatCount } from '../parts/format.ts'
import { buildRule, type CommentedRule, formatRules, formatYamlText } from '../scenario/scenario-rule.ts'
import { formatTests, isRepeatable } from './snippets.ts'

const SCENARIO = 'session.yaml'

/** A file to copy or to download. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

/**
 * @param calls in the order in which they were made.
 * @throws Error when none of the calls can be made again; its message is for the user.
 */
export function buildSession(calls: readonly CallDetails[]): { files: readonly TextFile[]; leftOut: number } {
  const made = calls.filter(isRepeatable)
  if (made.length === 0) throw new Error('The session has no ended calls to chat, responses or embeddings with a body.')
  const description = `A session of ${formatCount(made.length, 'call')}, saved from the page.`
  const rules = made.flatMap((call) => (needsRule(call) ? buildOwnRule(call, made) : []))
  const scenario = `description: ${formatYamlText(description)}\n${rules.length === 0 ? '' : formatRules(rules)}`
  return {
    files: [
      { name: SCENARIO, text: scenario },
      { name: 'session.test.ts', text: formatTests(made, SCENARIO) },
    ],
    leftOut: calls.length - made.length,
  }
}

/** Errors of requests that come from the scenario: its rules, its validation and its models, which the new one has not. */
const ERRORS_OF_SCENARIO = new Set(
  `no-match not-recorded reply-function-failed unknown-parameter unrecognized-argument unknown-model not-an-embedding-model
  not-a-chat-model max-tokens-unsupported unsupported-parameter logprobs-forbidden unsupported-default unsupported-value
  tools-with-effort tools-unsupported web-search-unsupported audio-unsupported image-unsupported json-schema-unsupported
  audio-required responses-only deprecated-model max-tokens-too-large context-length context-length-with-output input-tokens
  context-window requested-model-unknown unsupported-sampling unsupported-effort unsupported-setting dimensions-unsupported
  input-over-context`.split(/\s+/),
)

/** True if the mock would not give the same answer without a rule: it refuses wrong requests and computes embeddings. */
const needsRule = ({ reason, endpoint, status }: CallDetails): boolean =>
  reason.by === 'request' ? ERRORS_OF_SCENARIO.has(reason.name) : endpoint !== 'embeddings' || status >= 400

/** The rule that answers this call and no other one of the session; none if an earlier call has the same rule. */
function buildOwnRule(call: CallDetails, all: readonly CallDetails[]): readonly CommentedRule[] {
  const { rule, comments } = buildRule(call)
  const { attempt: _, ...when } = rule.when
  const same = all.filter(({ request }) => request === call.request)
  const index = same.indexOf(call)
  const isFailure = call.status >= 400 || call.outcome !== 'complete'
  const isRepeated = same.every((one) => JSON.stringify(buildRule(one).rule) === JSON.stringify(rule))
  if (isRepeated && !isFailure && index > 0) return []
  // Later attempts get the last answer, unless it is a failure.
  const isForOne = isFailure || (!isRepeated && index < same.length - 1)
  const isAmbiguous = all.some((other) => other.request !== call.request && matches(when, other))
  const own = { ...when, ...(isAmbiguous && { request: call.body }), ...(isForOne && { attempt: index + 1 }) }
  return [{ rule: { ...rule, when: own }, comments }]
}

/** True if the conditions that rules are built with hold for a call. */
function matches(
  when: CommentedRule['rule']['when'],
  { endpoint, model, user, toolResult = '' }: CallDetails,
): boolean {
  const has = (text: string, part: unknown = '') => text.toLowerCase().includes(String(part).toLowerCase())
  const isSameModel = when.model === undefined || when.model === model
  return when.endpoint === endpoint && isSameModel && has(user, when.user) && has(toolResult, when.toolResult)
}
