/**
 * Calls as files for the user's own tests: one call as a test for Vitest, and a session as a scenario, whose rules give its
 * answers, with a test that makes its calls again:
 *
 *     const mock = useMock(await loadScenario('session.yaml'))
 *
 *     test('the session is answered as before', async () => {
 *       const client = new OpenAI({ apiKey: mock.key, maxRetries: 0 })
 *       const answer1 = await client.chat.completions.create({ model: 'echo-1', messages: […] })
 *       …
 *       expect(mock.calls().map(({ status }) => status)).toEqual([200, 429])
 */
import type { CallDetails } from '../../core/journal/call-details.ts'
import type { ErrorName } from '../../core/protocol/errors/error-catalogue.ts'
import { formatCount } from '../parts/format.ts'
import { formatRules, formatYamlText } from '../scenario/rule-text.ts'
import { buildRule, type CommentedRule } from '../scenario/scenario-rule.ts'
import { METHODS, readClientCall, scriptValue } from './snippets.ts'

/** The call as a test for Vitest: a mock with a rule for it, if it needs one, and the answer that the app's client gets. */
export function formatTest(call: CallDetails): string {
  const makeCall = formatClientCall(call, 'answer')
  const { rule } = buildRule(call)
  const { attempt: _, ...when } = rule.when
  const scenario = scriptValue(needsRule(call) ? { replies: [{ ...rule, when }] } : {})
  const { number, endpoint, status } = call
  const expectCall = `  expect(mock).toHaveReceived({ endpoint: '${endpoint}', status: ${status}, times: 1 })`
  return writeTest(`call ${number} gets a ${status}`, scenario, [makeCall, expectCall])
}

/** The calls of a session that can be made again, and the number of its other calls. */
export interface CopiedSession {
  readonly calls: readonly CallDetails[]
  readonly leftOut: number
}

/** The most calls of a session that are copied: the latest ones. */
export const MAX_SESSION_CALLS = 200

/**
 * The calls of a session that a test can make again.
 * @throws Error when there are none; its message is for the user.
 */
export function selectRepeatable(calls: readonly CallDetails[]): readonly CallDetails[] {
  const isRepeatable = ({ endpoint, method, body, status, reason, outcome }: CallDetails): boolean => {
    const hasMethod = method === 'POST' && METHODS[endpoint] !== undefined
    const wasAnswered = status !== 0 && (outcome === 'complete' || outcome === 'cut')
    return hasMethod && body !== undefined && reason.by !== 'key' && wasAnswered
  }
  const repeatable = calls.filter(isRepeatable)
  if (repeatable.length > 0) return repeatable
  throw new Error('The session has no ended calls to chat, responses or embeddings with a body.')
}

/** A comment on the calls of a session that are left out; '' for none. @param mark the beginning of a comment */
function formatLeftOut(leftOut: number, mark: '#' | '//'): string {
  if (leftOut === 0) return ''
  const why = `to other endpoints, with a refused key, without a body or an end, or before the last ${MAX_SESSION_CALLS}`
  return `${mark} Left out: ${formatCount(leftOut, 'call')} (${why}).\n`
}

/** A session as a scenario: a rule for each call, in the order in which they were made. */
export function formatSessionScenario({ calls, leftOut }: CopiedSession): string {
  const description = formatYamlText(`A session of ${formatCount(calls.length, 'call')}, saved from the page.`)
  const rules = calls.filter(needsRule).map((call) => buildSessionRule(call, calls))
  const replies = rules.length === 0 ? '' : formatRules(rules)
  return `${formatLeftOut(leftOut, '#')}description: ${description}\n${replies}`
}

/** False for a call that the mock answers in the same way without a rule: a wrong request is refused, embeddings are computed. */
const needsRule = ({ reason, endpoint, status }: CallDetails): boolean =>
  reason.by === 'request' ? ERRORS_OF_SCENARIO.has(reason.name) : endpoint !== 'embeddings' || status >= 400

/** Errors of requests that depend on the rules, the validation and the models of a scenario, which the new one lacks. */
// biome-ignore format: a list
const ERRORS_OF_SCENARIO: ReadonlySet<string> = new Set<ErrorName>([
  'no-match', 'not-recorded', 'reply-function-failed', 'unknown-parameter', 'unrecognized-argument',
  'unknown-model', 'deprecated-model', 'requested-model-unknown', 'not-an-embedding-model', 'not-a-chat-model', 'responses-only',
  'max-tokens-unsupported', 'max-tokens-too-large', 'unsupported-parameter', 'unsupported-default', 'unsupported-value',
  'unsupported-sampling', 'unsupported-effort', 'unsupported-setting', 'logprobs-forbidden', 'top-logprobs-too-many',
  'tools-with-effort', 'tools-unsupported', 'web-search-unsupported', 'audio-unsupported', 'audio-required', 'image-unsupported',
  'json-schema-unsupported', 'encrypted-content-unsupported', 'dimensions-unsupported', 'dimensions-above-max',
  'context-length', 'context-length-with-output', 'context-window', 'input-tokens', 'input-over-context', 'output-limit-reached',
])

/**
 * The rule for one attempt of a request, such as `when: {user: Hello, attempt: 1}` with `fault: 503`. The last one also
 * answers later attempts, unless it is a failure.
 */
function buildSessionRule(call: CallDetails, calls: readonly CallDetails[]): CommentedRule {
  const { rule, comments } = buildRule(call)
  const { attempt: _, ...when } = rule.when
  const attempts = calls.filter(({ request }) => request === call.request)
  // Another request of the session would get this answer too, so the rule has the whole request as a condition.
  const isAmbiguous = calls.some((other) => other.request !== call.request && matches(when, other))
  const isForOneAttempt = call.status >= 400 || call.outcome !== 'complete' || call !== attempts.at(-1)
  const ownWhen = {
    ...when,
    ...(isAmbiguous && { request: call.body }),
    ...(isForOneAttempt && { attempt: attempts.indexOf(call) + 1 }),
  }
  return { rule: { ...rule, when: ownWhen }, comments }
}

/** True if a call meets the conditions of a rule that `buildRule` made. */
function matches(when: CommentedRule['rule']['when'], call: CallDetails): boolean {
  const includes = (text = '', part: unknown = '') => text.toLowerCase().includes(String(part).toLowerCase())
  const hasTexts = includes(call.user, when.user) && includes(call.toolResult, when.toolResult)
  return when.endpoint === call.endpoint && (when.model ?? call.model) === call.model && hasTexts
}

/** A session as a test for Vitest that makes its calls to a mock with its scenario. */
export function formatSessionTest({ calls, leftOut }: CopiedSession): string {
  const statuses = calls.map(({ status }) => status).join(', ')
  const test = writeTest('the session is answered as before', "await loadScenario('session.yaml')", [
    ...calls.map((call) => formatClientCall(call, `answer${call.number}`)),
    `  expect(mock.calls().map(({ status }) => status)).toEqual([${statuses}])`,
    '  expect(mock).toHaveNoUnmatchedCalls()',
  ])
  return `${formatLeftOut(leftOut, '//')}import { loadScenario } from 'llm-api-mock/node'\n${test}`
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

/** The statements that make a call, and read its answer or expect its failure. @param answer the name of the variable. */
function formatClientCall(call: CallDetails, answer: string): string {
  const { method, body } = readClientCall(call)
  const isStream = body.stream === true
  // A stream that was cut with a regular end is no error for the client.
  const isError = call.status >= 400 || (call.outcome === 'cut' && call.timeline?.at(-1)?.type !== 'end')
  const request = `client.${method}(${scriptValue(body, isError && isStream ? 2 : 1)})`
  const readStream = `for await (const event of ${answer}) void event`
  if (!isError) {
    const read = isStream ? readStream : `expect(${answer}).toBeDefined()`
    return `  const ${answer} = await ${request}\n  ${read}`
  }
  if (!isStream) return `  await expect(${request}).rejects.toThrow()`
  return `  await expect(async () => {
    const ${answer} = await ${request}
    ${readStream}
  }).rejects.toThrow()`
}
