/** The rule stage: with `unmatched: refuse`, a chat that no reply rule matches is a 404 that names the nearest one. */

import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { CallContext } from '../call/call-context.ts'

export function checkMatch(context: CallContext): ApiError | undefined {
  if (!context.scenario.refusesUnmatched || !context.route.hasMessages || context.matchedRule !== undefined)
    return undefined
  const nearest = context.nearMiss
  return apiError('no-match', { nearest: nearest === undefined ? 'It has no rules for chats.' : `${nearest.text}.` })
}
