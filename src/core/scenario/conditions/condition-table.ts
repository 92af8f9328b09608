/**
 * The conditions of `when`, such as `when: { user: rain, model: gpt-* }`, as one table. The grammar, the matcher, near
 * misses, the journal filter and the docs read it. docs/adding-a-condition.md says how to add one.
 *
 * A condition has a form, a text for messages and a function that reads the call. Only `request`, which compares a whole
 * body, has a file of its own.
 */

import { toList } from '../../lib/text/json.ts'
import { maskKey } from '../../lib/text/mask-keys.ts'
import { describeAll, describeValue } from '../check/describe-values.ts'
import { type Condition, conditionOf } from './condition.ts'
import type { Facts } from './facts.ts'
import { requestCondition } from './request-condition.ts'

/**
 * The conditions by name, cheapest first. Of two that capture a group of the same name, the later one wins: so the last texts come
 * after the earlier ones.
 */
const table = {
  endpoint: conditionOf('endpoint', 'the endpoint', (facts) => facts.endpoint),
  stream: conditionOf('flag', 'the stream parameter of the request', (facts) => facts.stream),
  attempt: conditionOf(
    'numbers',
    'the number of times that this key has sent the same request, this call included',
    (facts) => facts.attempt,
  ),
  state: conditionOf('state', 'the state that the scenario is in', (facts) => facts.state),
  turn: conditionOf('numbers', 'the number of user messages so far', (facts) => facts.userMessageCount),
  model: conditionOf('names', 'the model of the request', (facts) => facts.model),
  key: {
    ...conditionOf('names', 'the API key', (facts) => facts.key),
    // Messages mask keys.
    describeFound: ({ key }: Facts) => (key === '' ? 'none' : describeValue(maskKey(key))),
    describeWanted: (wanted: unknown) =>
      describeAll(toList(wanted as string[]).map((key) => (key.includes('*') ? key : maskKey(key)))),
  },
  tool: conditionOf('names', 'a tool that the request offers', (facts) => facts.tools),
  request: requestCondition,
  earlierUser: conditionOf('texts', 'a user message before the last one', (facts) => facts.earlier().users),
  earlierToolResult: conditionOf(
    'texts',
    "a tool's result before those at the end",
    (facts) => facts.earlier().toolResults,
  ),
  user: conditionOf('texts', 'the last user message', (facts) => facts.user),
  system: conditionOf('texts', 'the system or developer text', (facts) => facts.system),
  toolResult: conditionOf('texts', "the last message, if it is a tool's result", (facts) => facts.toolResult),
}

export type ConditionName = keyof typeof table

/** The table, for code that treats all conditions alike. */
export const conditions: Readonly<Record<string, Condition>> = table
export const conditionNames = Object.keys(table) as readonly ConditionName[]

/** True for a condition whose values may be patterns. */
export const takesPatterns = (name: string): boolean =>
  Object.hasOwn(conditions, name) && conditions[name]!.form === 'texts'
