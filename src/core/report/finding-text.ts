/** A finding as text: what it found, and a line for each call that shows it. */
import { formatStatus } from '../journal/call-text.ts'
import { escapeControls } from '../lib/text/escape-controls.ts'
import type { Finding, ShownCall } from './conduct.ts'

/**
 * The finding, and then its calls.
 * @example ["early-retry of POST /v1/chat/completions 'Hi' (key sk****st): #5 came 92 ms after ...", '#4 at 0 ms: 429 ...']
 */
export function formatFinding(finding: Finding): readonly string[] {
  const { name, method, path, prompt, key, text, shown, calls } = finding
  const request = [method, path, prompt].filter((part) => part !== '').join(' ')
  const title = `${name} of ${request} (key ${key}): ${text}`
  const lines = shown.map(formatShown)
  const hidden = calls.length - shown.length
  if (hidden > 0) lines.splice(-1, 0, `... and ${hidden} more`)
  return [title, ...lines].map(escapeControls)
}

/** `#4 at 92 ms: 429 limit requests-limit, ended after 2 ms` */
function formatShown({ number, atMs, status, reason, outcome, durationMs }: ShownCall): string {
  const end = outcome === 'open' ? 'still open' : `${ENDS[outcome]} after ${durationMs} ms`
  return `#${number} at ${atMs} ms: ${formatStatus(status)} ${reason}, ${end}`
}

const ENDS = { complete: 'ended', cut: 'cut off', 'client-left': 'the client left' } as const
