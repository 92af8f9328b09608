/** The calls that the page knows, as signals: all of them, those that pass the filter, and the list as it is shown. */
import { batch, computed, signal } from '@preact/signals'
import type { CallSummary } from '../../core/journal/call-details.ts'
import { causesOf, isEmpty, isShown, type ListFilter, NO_FILTER, statusesOf } from './list-filter.ts'

/** The most calls kept; the oldest go first. */
export const MAX_CALLS = 10_000

/** The most choices in a list of the filter: enough to choose from, while a load test may have thousands of keys. */
const MAX_CHOICES = 200

export class CallStore {
  /** The calls, ascending by number. A list is never changed, so that a view can compare it with the last one. */
  readonly all = signal<readonly CallSummary[]>([])
  readonly filter = signal<ListFilter>(NO_FILTER)
  /** The number of calls that came too fast to be sent to the page. */
  readonly missed = signal(0)
  /** The calls that pass the filter, ascending by number. */
  readonly shown = computed<readonly CallSummary[]>(() => {
    const filter = this.filter.value
    return isEmpty(filter) ? this.all.value : this.all.value.filter((call) => isShown(call, filter))
  })
  /** True if the slowest calls come first, in place of the newest. */
  readonly isBySlowest = signal(false)
  /** The calls that pass the filter in the order of the list, from its first row to its last. */
  readonly listed = computed<readonly CallSummary[]>(() => {
    const newestFirst = this.shown.value.toReversed()
    return this.isBySlowest.value ? newestFirst.sort((a, b) => b.durationMs - a.durationMs) : newestFirst
  })
  /** The values of each field among all calls, sorted, for the lists of the filter. */
  readonly choices = computed(() => ({
    status: listChoices(this.all.value.flatMap(statusesOf)),
    endpoint: listChoices(this.all.value.map(({ endpoint }) => endpoint)),
    key: listChoices(this.all.value.map(({ key }) => key)),
    cause: listChoices(this.all.value.flatMap(causesOf)),
  }))

  /**
   * Calls that wait for the next frame, which adds them together: a load test sends thousands per second, and each change draws
   * the list again.
   */
  readonly #waiting: CallSummary[] = []

  addWithNextFrame(call: CallSummary): void {
    this.#waiting.push(call)
    // A page that was hidden after it had asked for a frame gets none until it is shown, so a full list asks again.
    if (this.#waiting.length > 1 && this.#waiting.length % MAX_CALLS !== 0) return
    // A hidden page draws no frames, so there a timer has to do.
    const schedule = document.hidden ? setTimeout : requestAnimationFrame
    schedule(() => this.add(this.#waiting.splice(0)))
  }

  /** Adds calls, or updates those with the same number. */
  add(added: readonly CallSummary[]): void {
    if (added.length === 0) return
    const calls = [...this.all.value]
    // Nearly all calls belong at the end, so the place is found from there.
    for (const call of added) {
      const index = calls.findLastIndex(({ number }) => number <= call.number)
      if (calls[index]?.number === call.number) calls[index] = call
      else calls.splice(index + 1, 0, call)
    }
    this.all.value = calls.length > MAX_CALLS ? calls.slice(-MAX_CALLS) : calls
  }

  clear(): void {
    this.#waiting.length = 0
    batch(() => {
      this.all.value = []
      this.missed.value = 0
    })
  }

  /** A call by its number; undefined for one that is not kept. */
  find(number: number): CallSummary | undefined {
    return this.all.value.find((call) => call.number === number)
  }

  /** The row of a call in the list, from 0; -1 for a call that is not shown. */
  rowOf(number: number): number {
    return this.listed.value.findIndex((call) => call.number === number)
  }
}

/** The different values that came first, sorted. An empty value is no choice. */
const listChoices = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter(Boolean).slice(0, MAX_CHOICES).sort()
