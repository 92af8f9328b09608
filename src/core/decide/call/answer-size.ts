/** Refuses answers that are larger than the mock sends, before they are built. */

import { type ApiError, apiError } from '../../protocol/errors/error-catalogue.ts'
import type { Size } from '../../protocol/plan/text-parts.ts'
import type { CallContext } from './call-context.ts'

/**
 * The error of an answer that is too large; undefined for one that is not.
 * @param remedy what to change in the request, as a sentence without its end.
 */
export function checkAnswerSize(context: CallContext, size: Size, remedy: string): ApiError | undefined {
  const isWithin = size.maxBytes <= context.answerLimit || size.byteLength <= context.answerLimit
  return isWithin ? undefined : answerTooLarge(context, size.byteLength, remedy)
}

export const answerTooLarge = ({ answerLimit }: CallContext, bytes: number, remedy: string): ApiError =>
  apiError('answer-too-large', { bytes, limit: answerLimit, remedy })
