/** Checks of a recorded answer beyond its shape. */

import { parseDuration } from '../../lib/text/duration.ts'
import { isObject } from '../../lib/text/json.ts'
import type { Problem } from '../check/problem.ts'
import { VECTOR_PLACE } from '../compile/template.ts'

type Answer = Readonly<Record<string, unknown>>

/** It has a body or events, a vector for each placeholder, and events in order of time. */
export function checkAnswer(answer: Answer): Problem[] {
  const { body, events, vectors, wait } = answer
  return [...checkEither('body', 'events')(answer), ...checkVectors(body, vectors), ...checkOrder(events, wait)]
}

/** Exactly one of two fields is given. */
export const checkEither =
  (one: string, other: string) =>
  (value: Answer): Problem[] =>
    (value[one] === undefined) === (value[other] === undefined)
      ? [{ path: [], message: `expected either ${one} or ${other}, got both or neither.` }]
      : []

function checkVectors(body: unknown, vectors: unknown): Problem[] {
  if (!Array.isArray(vectors)) return []
  if (typeof body !== 'string')
    return [{ path: ['vectors'], message: "expected a body beside 'vectors', got none.", isKey: true }]
  const placeholders = body.split(VECTOR_PLACE).length - 1
  if (placeholders === vectors.length) return []
  const message = `expected ${placeholders} vectors, one for each ${VECTOR_PLACE} in the body, got ${vectors.length}.`
  return [{ path: ['vectors'], message }]
}

function checkOrder(events: unknown, wait: unknown): Problem[] {
  if (!Array.isArray(events)) return []
  const findings: Problem[] = []
  let before = parseDuration(wait) ?? 0
  for (const [index, event] of events.entries()) {
    if (!isObject(event)) continue
    const { at } = event
    const ms = parseDuration(at)
    if (ms === undefined) continue
    if (ms < before)
      findings.push({
        path: ['events', index, 'at'],
        message: `expected a time not before the previous event or the wait, got '${at}'.`,
      })
    before = ms
  }
  return findings
}
