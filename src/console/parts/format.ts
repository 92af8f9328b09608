/** Durations, counts and the owners of calls as people read them: `1.25 s`, `12 calls`, `sk-test-****ijkl, session chat-1`. */

/** `1.25 s`, `300 ms`, `0.8 ms`. */
export function formatMs(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toFixed(2))} s`
  return `${ms >= 10 ? Math.round(ms) : Number(ms.toFixed(1))} ms`
}

/** A duration as a scenario has it: `3s`, `1500ms`. */
export const formatDuration = (ms: number): string => (ms % 1000 === 0 ? `${ms / 1000}s` : `${ms}ms`)

/** `1 call`, `12 calls`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** The ends of calls that did not end as they should. */
const ENDS: Readonly<Record<string, string>> = { cut: 'cut off after', 'client-left': 'the client left after' }

/** The end of a call: `cut off after 1.2 s`, `still open`. @param complete the words for a call that ended as it should */
export function formatEnd(outcome: string, durationMs: number, complete = 'ended after'): string {
  if (outcome === 'open') return 'still open'
  return `${outcome === 'complete' ? complete : (ENDS[outcome] ?? outcome)} ${formatMs(durationMs)}`
}

/** `sk-test-****ijkl, session chat-1`, or `no key`. */
export const formatOwner = (key: string, session?: string): string =>
  `${key || 'no key'}${session === undefined ? '' : `, session ${session}`}`

/** The colour of a status; 0 stands for no answer. */
export const statusKind = (status: number): 'good' | 'warn' | 'bad' =>
  status === 0 || status >= 500 ? 'bad' : status < 400 ? 'good' : 'warn'
