/** The key condition: 401 without a key, 401 with one the scenario does not accept. */

import type { Turn } from '../call/call-context.ts'
import { type ApiError, apiError } from '../errors/catalogue.ts'

export function checkKey(turn: Turn): ApiError | undefined {
  if (turn.key === '') return apiError('missing-key')
  return turn.keyRule === undefined ? apiError('invalid-key', { maskedKey: turn.maskedKey }) : undefined
}
