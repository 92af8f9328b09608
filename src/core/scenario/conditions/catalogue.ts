/** The conditions of `when` by name, cheapest first. */
import { attempt } from './attempt.ts'
import type { Condition } from './condition.ts'
import { earlierToolResult } from './earlier-tool-result.ts'
import { earlierUser } from './earlier-user.ts'
import { endpoint } from './endpoint.ts'
import { key } from './key.ts'
import { model } from './model.ts'
import { request } from './request.ts'
import { state } from './state.ts'
import { stream } from './stream.ts'
import { system } from './system.ts'
import { tool } from './tool.ts'
import { toolResult } from './tool-result.ts'
import { turn } from './turn.ts'
import { user } from './user.ts'

/** Each condition with its own type; the grammar derives the type of `when` from them. */
export const catalogue = {
  endpoint,
  stream,
  attempt,
  state,
  turn,
  model,
  key,
  tool,
  request,
  // Before the conditions on the last texts, whose groups win where both have the same name.
  earlierUser,
  earlierToolResult,
  user,
  system,
  toolResult,
}

export type ConditionName = keyof typeof catalogue

/** The same catalogue, for code that treats all conditions alike. */
export const conditions = catalogue as Readonly<Record<string, Condition>>
export const conditionNames = Object.keys(catalogue) as readonly ConditionName[]
