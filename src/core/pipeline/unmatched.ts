/** The match condition: with `unmatched: refuse`, a chat that no reply rule matches is a 404 that names the nearest one. */

import type { Turn } from '../call/call-context.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'

export function checkMatch(turn: Turn): ApiError | undefined {
  if (!turn.scenario.refusesUnmatched || turn.endpoint !== 'chat' || turn.spoken !== undefined) return undefined
  const nearest = turn.nearMissFinder()
  return apiError('no-match', { nearest: nearest === undefined ? 'It has no rules for chats.' : `${nearest.text}.` })
}
