/** Calls as files: one as a test for Vitest, and a session as the rules of a scenario with a test that makes its calls again. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import { formatCount } from '../parts/format.ts'
import { buildRule, type CommentedRule, formatRules, formatYamlText } from '../scenario/scenario-rule.ts'
import { METHODS, readClientCall, scriptValue } from './snippets.ts'

/** The call as a test for Vitest: a mock with a rule for it, and the answer that the app's client gets. */
export function formatTest(call: CallDetails): string {
  const act = formatCreation(call, 'answer')
  const { rule } = buildRule(call)
  const { attempt: _, ...when } = rule.when
  const { number, endpoint, status } = call
  const received = `  expect(mock).toHaveReceived({ endpoint: '${endpoint}', status: ${status}, times: 1 })`
  return writeTest(`call ${number} gets a ${status}`, scriptValue({ replies: [{ ...rule, when }] }), [act, received])
}

/** A file to copy or to download. */
export interface TextFile {
  readonly name: string
  readonly text: string
}

const SCENARIO = 'session.yaml'

/**
 * A session as a scenario and a test.
 * @param calls in the order in which they were made.
 * @throws Error when none of the calls can be made again; its message is for the user.
 */
export function buildSession(calls: readonly CallDetails[]): { files: readonly TextFile[]; leftOut: number } {
  const made = calls.filter(isRepeatable)
  if (made.length === 0) throw new Error('The session has no ended calls to chat, responses or embeddings with a body.')
  const description = `A session of ${formatCount(made.length, 'call')}, saved from the page.`
  const rules = made.flatMap((call) => (needsRule(call) ? buildOwnRule(call, made) : []))
  const scenario = `description: ${formatYamlText(description)}\n${rules.length === 0 ? '' : formatRules(rules)}`
  const test = writeTest('the session is answered as before', `await loadScenario('${SCENARIO}')`, [
    ...made.map((call) => formatCreation(call, `answer${call.number}`)),
    `  expect(mock.calls().map(({ status }) => status)).toEqual([${made.map(({ status }) => status).join(', ')}])`,
    '  expect(mock).toHaveNoUnmatchedCalls()',
  ])
  return {
    files: [
      { name: SCENARIO, text: scenario },
      { name: 'session.test.ts', text: `import { loadScenario } from 'llm-api-mock/node'\n${test}` },
    ],
    leftOut: calls.length - made.length,
  }
}

/** True for a call that a test can make again and that ends. */
const isRepeatable = ({ endpoint, method, body, status, reason, outcome }: CallDetails): boolean =>
  method === 'POST' &&
  METHODS[endpoint] !== undefined &&
  body !== undefined &&
  status !== 0 &&
  reason.by !== 'key' &&
  (outcome === 'complete' || outcome === 'cut')

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

/** A test for Vitest that makes calls to a mock. @param scenario the code of the argument of `useMock`. */
const writeTest = (title: string, scenario: string, statements: readonly string[]): string =>
  `import { useMock } from 'llm-api-mock/vitest'
import OpenAI from 'openai'
import { expect, test } from 'vitest'

const mock = useMock(${scenario})

test('${title}', async () => {
  // Replace this with the code of your app.
  const client = new OpenAI({ apiKey: mock.key, maxRetries: 0 })
${statements.join('\n')}
})
`

/** The statements that make a call and read its answer, or expect its failure. */
function formatCreation(call: CallDetails, answer: string): string {
  const { method, body } = readClientCall(call)
  const isStream = body.stream === true
  // A stream that was cut with a regular end is no error for the client.
  const isError = call.status >= 400 || (call.outcome === 'cut' && call.timeline?.at(-1)?.type !== 'end')
  const created = `client.${method}(${scriptValue(body, isError && isStream ? 2 : 1)})`
  const read = `for await (const event of ${answer}) void event`
  if (!isError) return `  const ${answer} = await ${created}\n  ${isStream ? read : `expect(${answer}).toBeDefined()`}`
  if (!isStream) return `  await expect(${created}).rejects.toThrow()`
  return `  await expect(async () => {
    const ${answer} = await ${created}
    ${read}
  }).rejects.toThrow()`
}
