/**
 * Properties that a hunt checks after each run, so that nobody has to write a test of their own to hunt. With
 * `check: [once('charge')]`, a run in which the app charges twice fails with
 * `once('charge'): expected charge at most once, got it 2 times: after 0 calls, after 1 call.`
 */

import type { JournalEntry } from '../core/journal/entry.ts'
import { readAnswer, sentBody } from '../core/journal/read-answer.ts'
import { goDuration, parseDuration } from '../core/lib/text/duration.ts'
import { countOf, shorten } from '../core/lib/text/wording.ts'
import { invalidOption } from '../core/protocol/errors/check-options.ts'
import { groupBy } from '../core/report/attempts.ts'

/** A run of an app, as properties see it. */
export interface CheckedRun {
  /** The text that the app returned or printed; undefined if it ended with an error. */
  readonly shown?: string | undefined
  /** The side effects that it reported: `charge`, or `charge order-7`. */
  readonly effects: readonly SideEffect[]
  readonly entries: readonly JournalEntry[]
  /** Its duration in milliseconds: virtual time in process, real time by command. */
  readonly durationMs: number
}

export interface SideEffect {
  readonly name: string
  /** The number of calls that came before it; left out where that is not known. */
  readonly calls?: number
}

/** A property: it holds in each run, or names what broke it. */
export interface HuntCheck {
  /** As the user writes it: `once('charge')`. It opens the message of a failure. */
  readonly name: string
  /** True if an error that the app throws, or its exit code, is no failure under faults. Default: false. */
  readonly acceptsErrors?: boolean
  /**
   * Returns the failure in words; undefined if the property holds.
   * @param usual the run without faults
   */
  find(run: CheckedRun, usual: CheckedRun): string | undefined
}

/**
 * The app shows whole answers or ends with an error. It fails when it shows what it shows without faults, but with only the
 * beginning of an answer in the place of the whole one. An error that it throws is an error that it reports: only crashes
 * and assertions still fail. Say it shows `The model says: Paris is the capital.`, and a fault cuts the answer after `Paris is`:
 *
 *     The model says: Paris is the capital.    holds: it asked again
 *     Please try again later.                  holds: no answer
 *     The model says: Paris is                 fails: `whole` is `Paris is the capital.`, and `part` is `Paris is`
 */
export const wholeOrError = (): HuntCheck => ({
  name: 'wholeOrError()',
  acceptsErrors: true,
  find({ shown, entries }, usual) {
    const usuallyShown = usual.shown ?? ''
    // The answers that it shows without faults.
    const wholes = usual.entries
      .map(textOf)
      .filter((text) => text !== '' && formsOf(text).some((form) => usuallyShown.includes(form)))
    if (wholes.length === 0)
      return 'expected the app to return or print an answer of the model, so that there is something to check, got none of them without faults.'
    if (shown === undefined || trimLines(shown) === trimLines(usuallyShown)) return undefined
    for (const entry of entries.filter(isShortened)) {
      const part = textOf(entry)
      if (part === '') continue
      const longer = wholes.filter((text) => text !== part && text.startsWith(part))
      const whole = longer.find((text) => isShownWithPart(shown, usuallyShown, text, part))
      if (whole === undefined) continue
      const [expected, got] = [whole, part].map((text) => shorten(JSON.stringify(text)))
      return `expected the whole answer ${expected} or an error, got ${got}: ${describeEntry(entry, entries)} was broken by the fault ${entry.fault}.`
    }
    return undefined
  },
})

/** True if a fault left only the beginning of an answer. */
function isShortened(entry: JournalEntry): boolean {
  const { fault = '' } = entry
  if (fault === 'truncated-json') return true
  // A cut after the last words leaves the whole answer.
  const isWhole = ['stop', 'completed'].includes(answerOf(entry)?.finish ?? '')
  return ['cut', 'half-body', 'unfinished'].includes(fault) && !isWhole
}

/**
 * True if an app shows what it usually shows, with a part of an answer in a place of the whole: `The model says: Paris is` for
 * `The model says: Paris is the capital.`
 */
function isShownWithPart(shown: string, usuallyShown: string, whole: string, part: string): boolean {
  // An app that shows the whole as JSON shows the part as JSON too.
  const partForms = formsOf(part)
  return formsOf(whole).some((form, index) => {
    const around = trimLines(usuallyShown).split(form).map(escapePattern)
    const wholeOrPart = `(?:${escapePattern(form)}|${escapePattern(partForms[index]!)}\\s*)`
    return around.length > 1 && new RegExp(`^${around.join(wholeOrPart)}$`).test(trimLines(shown))
  })
}

/**
 * A side effect happens at most once in a run. The app reports it with `did('charge')`, or `did('charge', 'order-7')` if
 * each order may be charged once.
 */
export function once(effect: string): HuntCheck {
  if (!isEffectName(effect)) throw invalidOption('once', 'the side effect', 'a name without spaces', effect)
  return {
    name: `once('${effect}')`,
    find({ effects }) {
      const ofEffect = effects.filter(({ name }) => name === effect || name.startsWith(`${effect} `))
      const times = groupBy(ofEffect, ({ name }) => name).find(({ length }) => length > 1)
      if (times === undefined) return undefined
      const places = times.flatMap(({ calls }) => (calls === undefined ? [] : `after ${countOf(calls, 'call')}`))
      const where = places.length === 0 ? '' : `: ${places.join(', ')}`
      return `expected ${times[0]!.name} at most once, got it ${times.length} times${where}.`
    },
  }
}

/** True for a name without spaces. */
export const isEffectName = (name: unknown): boolean => typeof name === 'string' && /^[^\s,]+$/.test(name)

/** A run makes at most this number of calls. */
export function boundedCalls(most: number): HuntCheck {
  if (!Number.isInteger(most) || most < 1)
    throw invalidOption('boundedCalls', 'the limit', 'a whole number from 1', most)
  return {
    name: `boundedCalls(${most})`,
    find({ entries }) {
      const first = entries[most]
      if (first === undefined) return undefined
      return `expected at most ${countOf(most, 'call')}, got ${entries.length}. The first one too many is ${describeEntry(first, entries)}.`
    },
  }
}

/** A run takes at most this time, such as `60s`: virtual time, so waits count and the speed of the machine does not. */
export function boundedTime(most: string): HuntCheck {
  const mostMs = parseDuration(most)
  if (mostMs === undefined) throw invalidOption('boundedTime', 'the limit', 'a duration such as 60s', most)
  return {
    name: `boundedTime('${most}')`,
    find({ durationMs, entries }) {
      if (durationMs <= mostMs) return undefined
      const [longest] = entries.toSorted((one, other) => other.durationMs - one.durationMs)
      const exceeded = `expected at most ${most}, got ${goDuration(durationMs)}.`
      if (longest === undefined) return exceeded
      return `${exceeded} Its longest call is ${describeEntry(longest, entries)}, with ${goDuration(longest.durationMs)}.`
    },
  }
}

/** The first property that a run breaks, as its failure. */
export function findBrokenProperty(
  checks: readonly HuntCheck[],
  run: CheckedRun,
  usual: CheckedRun,
): { readonly error: Error; readonly cause: string } | undefined {
  for (const check of checks) {
    const broken = check.find(run, usual)
    if (broken === undefined) continue
    const error = new Error(`${check.name}: ${broken}`)
    // Its frames are those of the hunt.
    error.stack = String(error)
    return { error, cause: check.name }
  }
  return undefined
}

/** `request 3 of the run (POST chat, gpt-4o, attempt 2)` */
const describeEntry = (entry: JournalEntry, entries: readonly JournalEntry[]): string =>
  `request ${entries.indexOf(entry) + 1} of the run (POST ${entry.endpoint}, ${entry.model}, attempt ${entry.attempt})`

const answerOf = ({ timeline = [] }: JournalEntry) => readAnswer(sentBody({ timeline }) ?? '')
/** The text of an answer, as far as it was sent; '' without one. */
const textOf = (entry: JournalEntry): string => answerOf(entry)?.text?.trim() ?? ''

/** A text as it is, and as JSON has it: an app may print either. */
const formsOf = (text: string): string[] => [text, JSON.stringify(text).slice(1, -1)]

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
/** A text without blanks at the ends of its lines. */
const trimLines = (text: string): string => text.trim().replace(/[ \t]+$/gm, '')
