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
import type { TextFile } from '../app/messages.tsx'
import { formatCount } from '../parts/format.ts'
import { buildRule, type CommentedRule, formatRules, formatYamlText } from '../scenario/scenario-rule.ts'
import { METHODS, readClientCall, scriptValue } from './snippets.ts'

/** The call as a test for Vitest: a mock with a rule for it, and the answer that the app's client gets. */
export function formatTest(call: CallDetails): string {
  const makeCall = formatClientCall(call, 'answer')
  const { rule } = buildRule(call)
  const { attempt: _, ...when } = rule.when
  const scenario = scriptValue({ replies: [{ ...rule, when }] })
  const { number, endpoint, status } = call
  const expectCall = `  expect(mock).toHaveReceived({ endpoint: '${endpoint}', status: ${status}, times: 1 })`
  return writeTest(`call ${number} gets a ${status}`, scenario, [makeCall, expectCall])
}

const SCENARIO = 'session.yaml'

/**
 * A session as a scenario and a test.
 * @param calls in the order in which they were made.
 * @throws Error when none of the calls can be made again; its message is for the user.
 */
export function buildSession(calls: readonly CallDetails[]): { files: readonly TextFile[]; leftOut: number } {
  const repeated = calls.filter(isRepeatable)
  if (repeated.length === 0)
    throw new Error('The session has no ended calls to chat, responses or embeddings with a body.')
  const description = `A session of ${formatCount(repeated.length, 'call')}, saved from the page.`
  const rules = buildSessionRules(repeated)
  const scenario = `description: ${formatYamlText(description)}\n${rules.length === 0 ? '' : formatRules(rules)}`
  const test = writeTest('the session is answered as before', `await loadScenario('${SCENARIO}')`, [
    ...repeated.map((call) => formatClientCall(call, `answer${call.number}`)),
    `  expect(mock.calls().map(({ status }) => status)).toEqual([${repeated.map(({ status }) => status).join(', ')}])`,
    '  expect(mock).toHaveNoUnmatchedCalls()',
  ])
  return {
    files: [
      { name: SCENARIO, text: scenario },
      { name: 'session.test.ts', text: `import { loadScenario } from 'llm-api-mock/node'\n${test}` },
    ],
    leftOut: calls.length - repeated.length,
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

/** The rules that answer the calls of a session, in the order of the calls. Each matches the attempts of one request only. */
function buildSessionRules(calls: readonly CallDetails[]): CommentedRule[] {
  const requests = new Set(calls.map(({ request }) => request))
  const rules = [...requests].flatMap((request) => {
    const attempts = calls.filter((call) => call.request === request)
    const others = calls.filter((call) => call.request !== request)
    return buildAttemptRules(attempts, others)
  })
  return rules.sort((one, other) => one.call.number - other.call.number)
}

/**
 * The rules for the attempts of one request: one rule for all if they succeed with the same answer, otherwise one for each
 * attempt, such as `when: {user: Hello, attempt: 1}` with `fault: 503`, then `when: {user: Hello}` with `say: Hello`.
 * @param others the calls of the session with other requests
 */
function buildAttemptRules(attempts: readonly CallDetails[], others: readonly CallDetails[]) {
  const ruleTexts = new Set(attempts.map((call) => JSON.stringify(buildRule(call).rule)))
  const isSameEachTime = ruleTexts.size === 1 && !attempts.some(isFailure)
  const answered = isSameEachTime ? attempts.slice(0, 1) : attempts
  return answered.filter(needsRule).map((call) => {
    const { rule, comments } = buildRule(call)
    const { attempt: _, ...when } = rule.when
    const isAmbiguous = others.some((other) => matches(when, other))
    // The last rule also answers later attempts, unless it is a failure.
    const isForOneAttempt = isFailure(call) || call !== answered.at(-1)
    const ownWhen = {
      ...when,
      ...(isAmbiguous && { request: call.body }),
      ...(isForOneAttempt && { attempt: attempts.indexOf(call) + 1 }),
    }
    return { call, rule: { ...rule, when: ownWhen }, comments }
  })
}

const isFailure = ({ status, outcome }: CallDetails): boolean => status >= 400 || outcome !== 'complete'

/** True if the mock would not give the same answer without a rule: it refuses wrong requests and computes embeddings. */
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

/** True if a call meets the conditions of a rule that `buildRule` made. */
function matches(when: CommentedRule['rule']['when'], call: CallDetails): boolean {
  const includes = (text = '', part: unknown = '') => text.toLowerCase().includes(String(part).toLowerCase())
  const hasTexts = includes(call.user, when.user) && includes(call.toolResult, when.toolResult)
  return when.endpoint === call.endpoint && (when.model ?? call.model) === call.model && hasTexts
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

/** The statements that make a call and read its answer into the variable `answer`, or expect its failure. */
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
