/** The code of an endpoint. Its path and properties are in `core/protocol/request/endpoints.ts`. */

import type { ApiError } from '../../protocol/errors/error-catalogue.ts'
import type { AnswerMutator } from '../../protocol/faults/answer-mutator.ts'
import type { Answer } from '../call/answer.ts'
import type { CallContext } from '../call/call-context.ts'

export interface EndpointDefinition {
  /** The first problem of a request whose body is JSON with a known model in it; in the order of the real service. */
  readonly check: (context: CallContext) => ApiError | undefined
  /** Notes about a request, whether it is accepted or not. */
  readonly notes?: (context: CallContext) => readonly string[]
  /** The error for a model that serves another endpoint. Default: the error for an unknown model. */
  readonly wrongModel?: () => ApiError
  /**
   * Answers a request that passed every check.
   * @param mutator the semantic fault that changes the answer, or NO_MUTATION.
   */
  readonly answer: (context: CallContext, mutator: AnswerMutator) => Answer
}
