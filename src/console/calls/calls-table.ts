/** The table of calls: newest first, bounded, filtered, with keyboard navigation. */

import type { Hello } from '../../control-plane/event-stream.ts'
import type { CallSummary } from '../../core/journal/call-details.ts'
import { formatTimeOfDay } from '../clock-times.ts'
import { addOptions, byId, element } from '../dom.ts'
import { causesOf, causeText, type Filter, isShown, NO_FILTER, statusesOf } from './call-filter.ts'
import { formatMs } from './timeline.ts'

const MAX_ROWS = 500

/** The lists of the filter form, and the entries that each call adds to them. */
const CHOICES: Readonly<Record<string, (call: CallSummary) => string | string[]>> = {
  'filter-status': statusesOf,
  'filter-endpoint': ({ endpoint }) => endpoint,
  'filter-key': ({ key }) => key,
  'filter-cause': causesOf,
}

interface Row {
  readonly call: CallSummary
  readonly row: HTMLTableRowElement
}

export class CallsTable {
  /** Called when a call is opened. */
  onOpen: (number: number) => void = () => {}
  clock: Hello = { now: 0, time: 0 }

  readonly #body = byId('calls', HTMLTableSectionElement)
  readonly #form = byId('filters', HTMLFormElement)
  readonly #rows = new Map<number, Row>()
  #filter: Filter = NO_FILTER
  #pending = new Map<number, CallSummary>()
  /** The row that the keyboard is on: the newest call until the user moves. */
  #current: number | undefined
  #isChosen = false
  #opened: number | undefined

  constructor() {
    const refilter = (): void => this.#refilter()
    this.#form.addEventListener('input', refilter)
    this.#form.addEventListener('submit', (event) => event.preventDefault())
    // The fields are cleared after the event.
    this.#form.addEventListener('reset', () => setTimeout(refilter))
    this.#body.addEventListener('click', ({ target }) => {
      const row = (target as Element).closest('tr')
      if (row !== null) this.#open(Number(row.dataset.number))
    })
    this.#body.addEventListener('focusin', ({ target }) => {
      this.#isChosen = true
      this.#setCurrent(Number((target as Element).closest('tr')?.dataset.number))
    })
    this.#body.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
      event.preventDefault()
      this.step(event.key === 'ArrowDown' ? 1 : -1)
    })
    this.#showCount()
  }

  /** Adds or updates a call; drawn in the next frame. */
  add(call: CallSummary): void {
    if (this.#pending.size === 0) requestAnimationFrame(() => this.#draw())
    this.#pending.set(call.number, call)
    // A hidden page draws no frames.
    if (this.#pending.size > MAX_ROWS) this.#pending.delete(this.#pending.keys().next().value as number)
  }

  clear(): void {
    this.#pending.clear()
    this.#rows.clear()
    this.#body.replaceChildren()
    this.#current = undefined
    this.#isChosen = false
    this.#showCount()
  }

  clearFilters(): void {
    this.#form.reset()
    this.#refilter()
  }

  /** Marks the open call; undefined for none. */
  mark(number: number | undefined): void {
    this.#rows.get(this.#opened ?? 0)?.row.removeAttribute('aria-current')
    this.#opened = number
    this.#rows.get(number ?? 0)?.row.setAttribute('aria-current', 'true')
  }

  /** Moves to the next visible row (1) or the previous one (-1), and opens it if a call is open. */
  step(by: 1 | -1): void {
    const shown = Array.from(this.#body.rows).filter(({ hidden }) => !hidden)
    const place = shown.findIndex(({ dataset }) => Number(dataset.number) === this.#current)
    const isThere = document.activeElement?.closest('tbody') === this.#body
    const next = shown[isThere && place >= 0 ? Math.min(Math.max(place + by, 0), shown.length - 1) : Math.max(place, 0)]
    if (next === undefined) return
    next.querySelector('button')?.focus()
    if (this.#opened !== undefined) this.#open(Number(next.dataset.number))
  }

  openCurrent(): void {
    if (this.#current !== undefined) this.#open(this.#current)
  }

  focusCurrent(): void {
    this.#rows
      .get(this.#current ?? 0)
      ?.row.querySelector('button')
      ?.focus()
  }

  #open(number: number): void {
    this.#isChosen = true
    this.#setCurrent(number)
    this.onOpen(number)
  }

  /** Makes a row the tab stop of the table. */
  #setCurrent(number: number): void {
    const buttonOf = (one: number | undefined) => this.#rows.get(one ?? 0)?.row.querySelector('button')
    buttonOf(this.#current)?.setAttribute('tabindex', '-1')
    this.#current = number
    buttonOf(number)?.setAttribute('tabindex', '0')
  }

  #draw(): void {
    const calls = [...this.#pending.values()].sort((a, b) => a.number - b.number)
    this.#pending.clear()
    for (const call of calls) this.#update(call)
    const numbers = [...this.#rows.keys()].sort((a, b) => a - b)
    for (const number of numbers.slice(0, Math.max(0, numbers.length - MAX_ROWS))) {
      this.#rows.get(number)!.row.remove()
      this.#rows.delete(number)
    }
    for (const [id, valuesOf] of Object.entries(CHOICES)) {
      addOptions(byId(id, HTMLSelectElement), calls.flatMap(valuesOf))
    }
    if (!this.#rows.has(this.#current ?? 0)) this.#isChosen = false
    if (!this.#isChosen && numbers.length > 0) this.#setCurrent(numbers.at(-1)!)
    this.#showCount()
  }

  #update(call: CallSummary): void {
    const known = this.#rows.get(call.number)?.row
    const row = known ?? element('tr', { 'data-number': String(call.number) })
    row.hidden = !isShown(call, this.#filter)
    if (known === undefined) {
      const button = element('button', { type: 'button', tabindex: '-1' }, String(call.number))
      button.setAttribute('aria-label', `Call ${call.number}`)
      row.append(element('th', { scope: 'row' }, button), ...this.#cells(call))
      if (call.number === this.#opened) row.setAttribute('aria-current', 'true')
      const below = Array.from(this.#body.rows).find(({ dataset }) => Number(dataset.number) < call.number)
      this.#body.insertBefore(row, below ?? null)
    } else {
      // The button is kept, as it may have the focus.
      row.replaceChildren(row.cells[0]!, ...this.#cells(call))
    }
    this.#rows.set(call.number, { call, row })
  }

  #cells(call: CallSummary): HTMLTableCellElement[] {
    const { at, prompt, model, key, reason, outcome, durationMs, notes, state } = call
    const why = causeText(reason)
    const answered = element('td', { title: [state === undefined ? why : `${why}, in ${state}`, ...notes].join('\n') })
    if (notes.length > 0) answered.append(element('span', { class: 'note' }, 'note'), ' ')
    answered.append(why)
    return [
      element('td', { class: 'time' }, formatTimeOfDay(at, this.clock)),
      statusCell(call),
      element('td', { class: 'long', title: prompt }, prompt),
      answered,
      element('td', { class: 'number' }, outcome === 'open' ? '…' : formatMs(durationMs)),
      element('td', {}, call.endpoint),
      element('td', { class: 'code', title: key }, key === '' ? 'none' : tailOf(key)),
      element('td', { title: model }, model),
    ]
  }

  #refilter(): void {
    this.#filter = Object.fromEntries(new FormData(this.#form)) as unknown as Filter
    for (const { call, row } of this.#rows.values()) row.hidden = !isShown(call, this.#filter)
    this.#showCount()
  }

  #showCount(): void {
    const all = this.#rows.size
    const shown = Array.from(this.#rows.values()).filter(({ row }) => !row.hidden).length
    const count = byId('count', HTMLElement)
    count.textContent = all === 0 ? '' : shown === all ? String(all) : `${shown} of ${all}`
    byId('no-calls', HTMLElement).hidden = all > 0
  }
}

/** `sk-test-****ijkl` is `…ijkl`. */
const tailOf = (key: string): string => key.replace(/^.*\*{4}(?=.)/s, '…')

const RESULTS = { open: 'in progress', complete: '', cut: 'cut', 'client-left': 'client left' } as const

function statusCell({ status, outcome }: CallSummary): HTMLTableCellElement {
  const kind = status === 0 || status >= 500 ? 'bad' : status < 400 ? 'good' : 'warn'
  const cell = element('td')
  // A call in progress may have no status yet.
  if (status !== 0 || outcome !== 'open') {
    cell.append(element('span', { class: `status ${kind}` }, status === 0 ? 'none' : String(status)), ' ')
  }
  if (outcome !== 'complete') cell.append(element('span', { class: 'ending' }, RESULTS[outcome]))
  return cell
}
