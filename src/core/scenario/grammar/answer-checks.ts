/** Checks of a recorded answer beyond its shape. */

import { parseDuration } from '../../text/duration.ts'
import { isObject } from '../../text/json.ts'
import type { Problem } from '../diagnostics/problem.ts'
import { VECTOR_PLACE } from './vector-place.ts'

type Answer = Readonly<Record<string, unknown>>

/** It has a body or events, a vector for each placeholder, and events in order of time. */
export function checkAnswer(answer: Answer): Problem[] {
  const { body, events, vectors } = answer
  if (body === undefined && events === undefined)
    return [{ path: [], message: 'expected body or events, got neither.' }]
  if (body !== undefined && events !== undefined)
    return [{ path: ['events'], message: 'expected body or events, got both.', isKey: true }]
  return [...checkVectors(body, vectors), ...checkOrder(events, answer.wait)]
}

function checkVectors(body: unknown, vectors: unknown): Problem[] {
  if (!Array.isArray(vectors)) return []
  if (typeof body !== 'string')
    return [{ path: ['vectors'], message: "expected a body beside 'vectors', got none.", isKey: true }]
  const placeholders = body.split(VECTOR_PLACE).length - 1
  const findings = vectors.flatMap((vector, index) => checkVector(vector, ['vectors', index]))
  if (placeholders === vectors.length) return findings
  const message = `expected ${placeholders} vectors, one for each ${VECTOR_PLACE} in the body, got ${vectors.length}.`
  return [...findings, { path: ['vectors'], message }]
}

function checkVector(vector: unknown, path: Problem['path']): Problem[] {
  if (!isObject(vector)) return []
  const { base64, floats, between, exponents } = vector
  if ((base64 === undefined) === (floats === undefined))
    return [{ path, message: 'expected either base64 or floats, got both or neither.' }]
  if (floats === undefined && (between !== undefined || exponents !== undefined))
    return [{ path, message: 'expected between and exponents beside floats only, got them beside base64.' }]
  if (typeof floats === 'string' && byteLength(floats) % 4 !== 0)
    return [
      { path: [...path, 'floats'], message: `expected 4 bytes for each number, got ${byteLength(floats)} bytes.` },
    ]
  return []
}

const byteLength = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)

function checkOrder(events: unknown, wait: unknown): Problem[] {
  if (!Array.isArray(events)) return []
  const findings: Problem[] = []
  let before = parseDuration(wait) ?? 0
  for (const [index, event] of events.entries()) {
    if (!isObject(event)) continue
    const { at, data, text } = event
    const path = ['events', index]
    if ((data === undefined) === (text === undefined))
      findings.push({ path, message: 'expected either data or text, got both or neither.' })
    const ms = parseDuration(at)
    if (ms === undefined) continue
    if (ms < before)
      findings.push({
        path: [...path, 'at'],
        message: `expected a time not before the previous event or the wait, got '${at}'.`,
      })
    before = ms
  }
  return findings
}
