/** The checks of a responses request, in the order of the real service. */

import type { ApiError } from '../../../protocol/errors/error-catalogue.ts'
import type { CallContext } from '../../call/call-context.ts'

export const responsesNotes = (): readonly string[] => []

/** The first problem of a responses request. */
export const checkResponses = (_context: CallContext): ApiError | undefined => undefined
