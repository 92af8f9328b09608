/** The key stage: 401 without a key, and 401 with a key that the scenario does not accept. */

import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { CallContext } from '../call/call-context.ts'

export function authenticate(context: CallContext): ApiError | undefined {
  if (context.key === '') return apiError('missing-key')
  return context.keyRule === undefined ? apiError('invalid-key', { maskedKey: context.maskedKey }) : undefined
}
