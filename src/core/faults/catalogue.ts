/** The fault catalogue: every fault, in the order of the docs. The types of fault-types.ts are made from it. */

import { errorFaults } from './answer/error-faults.ts'
import { status } from './answer/status.ts'
import type { Fault } from './fault.ts'
import { emptyText } from './semantic/empty-text.ts'
import { otherLanguage } from './semantic/other-language.ts'
import { refusal } from './semantic/refusal.ts'
import { repeatedChunk } from './semantic/repeated-chunk.ts'
import { shuffledEmbeddings } from './semantic/shuffled-embeddings.ts'
import { truncatedJson } from './semantic/truncated-json.ts'
import { undeclaredTool } from './semantic/undeclared-tool.ts'
import { wrongDimension } from './semantic/wrong-dimension.ts'
import { wrongEnum } from './semantic/wrong-enum.ts'
import { wrongUsage } from './semantic/wrong-usage.ts'
import { comments } from './stream/comments.ts'
import { crlf } from './stream/crlf.ts'
import { duplicatedEvent } from './stream/duplicated-event.ts'
import { joinedEvents } from './stream/joined-events.ts'
import { malformedEvent } from './stream/malformed-event.ts'
import { missingDone } from './stream/missing-done.ts'
import { missingUsage } from './stream/missing-usage.ts'
import { splitEvents } from './stream/split-events.ts'
import { streamError } from './stream/stream-error.ts'
import { bandwidth } from './wire/bandwidth.ts'
import { cut } from './wire/cut.ts'
import { emptyReply } from './wire/empty-reply.ts'
import { garbage } from './wire/garbage.ts'
import { halfBody } from './wire/half-body.ts'
import { hang } from './wire/hang.ts'
import { resetAfterHeaders } from './wire/reset-after-headers.ts'
import { resetBeforeHeaders } from './wire/reset-before-headers.ts'
import { slowDrip } from './wire/slow-drip.ts'
import { truncatedGzip } from './wire/truncated-gzip.ts'
import { wrongContentType } from './wire/wrong-content-type.ts'

export const faults: readonly Fault[] = [
  // Errors
  ...errorFaults,
  status,
  // Wrong in meaning
  refusal,
  emptyText,
  otherLanguage,
  truncatedJson,
  wrongEnum,
  undeclaredTool,
  repeatedChunk,
  wrongUsage,
  wrongDimension,
  shuffledEmbeddings,
  // The connection and the body
  hang,
  resetBeforeHeaders,
  resetAfterHeaders,
  emptyReply,
  garbage,
  halfBody,
  wrongContentType,
  slowDrip,
  bandwidth,
  truncatedGzip,
  // Streams
  cut,
  streamError,
  malformedEvent,
  missingDone,
  missingUsage,
  duplicatedEvent,
  comments,
  crlf,
  splitEvents,
  joinedEvents,
]
