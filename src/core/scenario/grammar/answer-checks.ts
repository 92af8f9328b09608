/** Checks of a recorded answer beyond its shape. */
import { parseDuration } from '../../text/duration.ts'
import type { Finding } from './rule-checks.ts'
import { VECTOR_PLACE } from './vector-place.ts'

type Answer = Readonly<Record<string, unknown>>

/** It has a body or events, a vector for each placeholder, and events in order of time. */
export function checkAnswer(answer: Answer): Finding[] {
  const { body, events, vectors } = answer
  if (body === undefined && events === undefined)
    return [{ path: [], message: 'expected body or events, got neither.' }]
  if (body !== undefined && events !== undefined)
    return [{ path: ['events'], message: 'expected body or events, got both.', isKey: true }]
  return [...checkVectors(body, vectors), ...checkOrder(events, answer.wait)]
}

function checkVectors(body: unknown, vectors: unknown): Finding[] {
  if (!Array.isArray(vectors)) return []
  if (typeof body !== 'string')
    return [{ path: ['vectors'], message: "expected a body beside 'vectors', got none.", isKey: true }]
  const placeholders = body.split(VECTOR_PLACE).length - 1
  const findings = vectors.flatMap((vector, index) => checkVector(vector, ['vectors', index]))
  if (placeholders === vectors.length) return findings
  const message = `expected ${placeholders} vectors, one for each ${VECTOR_PLACE} in the body, got ${vectors.length}.`
  return [...findings, { path: ['vectors'], message }]
}

function checkVector(vector: unknown, path: Finding['path']): Finding[] {
  if (typeof vector !== 'object' || vector === null) return []
  const { base64, floats, between, exponents } = vector as Answer
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

function checkOrder(events: unknown, wait: unknown): Finding[] {
  if (!Array.isArray(events)) return []
  const findings: Finding[] = []
  let before = msOf(wait) ?? 0
  for (const [index, event] of events.entries()) {
    if (typeof event !== 'object' || event === null) continue
    const { at, data, text } = event as Answer
    const path = ['events', index]
    if ((data === undefined) === (text === undefined))
      findings.push({ path, message: 'expected either data or text, got both or neither.' })
    const ms = msOf(at)
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

const msOf = (duration: unknown): number | undefined =>
  typeof duration === 'string' ? parseDuration(duration) : undefined
