/** What tests verify of a mock: each as a verdict with a message that names the nearest call. */
import { findConduct } from '../core/conduct/conduct.ts'
import type { JournalEntry } from '../core/journal/entry.ts'
import type { CallFilter } from '../core/journal/filter/call-filter.ts'
import { type CompiledFilter, compileFilter } from '../core/journal/filter/compile-filter.ts'
import { readMessages } from '../core/request/messages.ts'
import { quoted } from '../core/scenario/diagnostics/describe.ts'
import { differencesText } from '../core/scenario/diagnostics/differences.ts'
import { isObject } from '../core/text/json.ts'
import type { Mock } from '../engine/mock.ts'

/** A filter of calls, and how many there should be. */
export interface ExpectedCalls extends CallFilter {
  /** Exactly so many. Default: one or more. */
  readonly times?: number | undefined
}

/** Whether something holds, and what to say where that is not what was hoped for. */
export interface Verdict {
  readonly pass: boolean
  readonly message: () => string
}

const MAX_LINES = 5

/** Whether the mock received the calls that a filter names: so many, or any. */
export function received(mock: Mock, { times, ...filter }: ExpectedCalls): Verdict {
  if (times !== undefined && (!Number.isSafeInteger(times) || times < 0)) {
    throw new Error(`toHaveReceived: found times ${times}, allowed is a whole number from 0.`)
  }
  const compiled = compileFilter(filter, { now: mock.clock.now() })
  const all = mock.journal
  const found = all.filter(compiled.matches)
  const pass = times === undefined ? found.length > 0 : found.length === times
  const wanted = `${times === undefined ? 'a call' : counted(times)}${compiled.text === '' ? '' : ` with ${compiled.text}`}`
  return {
    pass,
    message: () => {
      const beginning = `Expected the mock ${pass ? 'not ' : ''}to have received ${wanted}, and it received`
      if (found.length > 0)
        return `${beginning} ${found.length}:${linesOf(found.map(callText))}${pass ? '' : nearestOf(all, compiled)}`
      return `${beginning} none.${all.length === 0 ? NO_CALLS : nearestOf(all, compiled)}`
    },
  }
}

const NO_CALLS = ' There were no calls at all: does the app call the base URL of the mock?'

/** Whether every reply rule of the scenario has spoken. */
export function usedEveryRule(mock: Mock): Verdict {
  const rules = mock.usage.filter(({ kind }) => kind === 'rule')
  const unused = rules.filter(({ count }) => count === 0)
  return {
    pass: unused.length === 0,
    message: () => {
      if (unused.length === 0) return `Expected some reply rule not to have spoken, and all ${rules.length} have.`
      const near = mock.calls({ unmatched: true })
      const lines = unused.map(({ place }) => {
        const call = near.find(({ nearMiss }) => nearMiss?.rule === place)
        return call === undefined
          ? place
          : `${place}: nearest was #${call.number}, where ${differencesText(call.nearMiss!.differences)}`
      })
      return `Expected every reply rule to have spoken, and ${unused.length} of ${rules.length} did not:${linesOf(lines)}`
    },
  }
}

/** Whether a reply rule matched every chat, in a scenario that has rules. */
export function hadNoUnmatchedCalls(mock: Mock, filter: CallFilter = {}): Verdict {
  const found = mock.calls({ ...filter, unmatched: true })
  return {
    pass: found.length === 0,
    message: () => {
      if (found.length === 0) return 'Expected a chat that no reply rule matches, and there was none.'
      const lines = found.map(
        (entry) => `${callText(entry)}${entry.nearMiss === undefined ? '' : `\n    ${entry.nearMiss.text}`}`,
      )
      return `Expected a reply rule to match every chat, and ${counted(found.length)} had none:${linesOf(lines)}`
    },
  }
}

/** Whether the client made no mistake; what may be meant does not count. */
export function behaved(mock: Mock, filter: CallFilter = {}): Verdict {
  const mistakes = findConduct(mock.calls(filter)).filter(({ level }) => level === 'mistake')
  return {
    pass: mistakes.length === 0,
    message: () => {
      if (mistakes.length === 0) return 'Expected the client to have misbehaved, and it did not.'
      return `Expected the client to have behaved, and it did not:${linesOf(mistakes.map(({ name, text }) => `${name}: ${text}`))}`
    },
  }
}

/** The call that differs least from a filter, of those that it does not match. */
function nearestOf(all: readonly JournalEntry[], filter: CompiledFilter): string {
  const others = all
    .map((entry) => ({ entry, differences: filter.differences(entry) }))
    .filter(({ differences }) => differences.length > 0)
  const nearest = others.sort((a, b) => a.differences.length - b.differences.length)[0]
  if (nearest === undefined) return ''
  return `\nThe nearest other call is\n  ${callText(nearest.entry)}\n    ${differencesText(nearest.differences)}`
}

/** `#3 POST /v1/chat/completions 'Hello!' -> 429 limit requests-limit` */
function callText(entry: JournalEntry): string {
  const { number, method, path, status, reason, outcome } = entry
  const parts = [`#${number}`, method, path, saidIn(entry), '->', status === 0 ? 'no answer' : String(status)]
  parts.push(reason.by === reason.name ? reason.name : `${reason.by} ${reason.name}`)
  if (outcome !== 'complete') parts.push(`(${outcome})`)
  return parts.filter((part) => part !== '').join(' ')
}

/** What a call asks, in short. */
function saidIn({ body, endpoint }: JournalEntry): string {
  if (!isObject(body)) return ''
  if (endpoint === 'chat') return quoted(readMessages(body).user)
  if (endpoint === 'embeddings')
    return quoted(typeof body.input === 'string' ? body.input : (JSON.stringify(body.input) ?? ''))
  return ''
}

function linesOf(lines: readonly string[]): string {
  const shown = lines.slice(0, MAX_LINES).map((line) => `\n  ${line}`)
  return shown.join('') + (lines.length > MAX_LINES ? `\n  ... and ${lines.length - MAX_LINES} more` : '')
}

const counted = (count: number): string => (count === 1 ? '1 call' : `${count} calls`)
