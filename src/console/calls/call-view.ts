/** Shows one call: what matched it, its timeline, request and answer, and buttons to copy it. */

import type { CallDetails } from '../../core/journal/call-details.ts'
import type { Step } from '../../core/journal/entry.ts'
import { byId, element } from '../dom.ts'
import { joinBody, parseJson, readAnswer, summarizeChunk } from './answer.ts'
import { causeText } from './call-filter.ts'
import { formatMs, layOutTimeline, type Moment, type Timeline } from './timeline.ts'

export interface CallActions {
  copyCurl(): void
  copyRule(): void
  close(): void
}

/** Shows a call in the panel. */
export function showCall(call: CallDetails, actions: CallActions): void {
  const panel = byId('panel-call', HTMLElement)
  panel.replaceChildren(
    headOf(call, actions),
    factsOf(call),
    ...call.notes.map((note) => element('p', { class: 'note-line' }, note)),
    ...timelineOf(call),
    ...requestOf(call),
    ...answerOf(call),
  )
}

/** Shows a text instead of a call. */
export function showNoCall(text: string): void {
  byId('panel-call', HTMLElement).replaceChildren(element('p', { class: 'empty' }, text))
}

function headOf({ number }: CallDetails, { copyCurl, copyRule, close }: CallActions): HTMLElement {
  const button = (text: string, key: string, act: () => void): HTMLButtonElement => {
    const made = element('button', { type: 'button' }, text, ' ', element('kbd', {}, key))
    made.addEventListener('click', act)
    return made
  }
  return element(
    'div',
    { class: 'row call-head' },
    element('h2', {}, `Call ${number}`),
    button('Copy as curl', 'c', copyCurl),
    button('Copy as rule', 'r', copyRule),
    button('Close', 'Esc', close),
  )
}

function factsOf(call: CallDetails): HTMLElement {
  const { method, path, status, reason, outcome, durationMs, key, session, model, attempt, state, cache } = call
  const facts: [string, string][] = [
    ['Request', `${method} ${path}`],
    ['Status', status === 0 ? 'none' : String(status)],
    ['Matched by', causeText(reason)],
    ['Result', outcome === 'open' ? 'not finished yet' : `${outcome.replace('-', ' ')} after ${formatMs(durationMs)}`],
    ['Key', key === '' ? 'none' : key],
    ['Model', model === '' ? 'none' : model],
    ['Attempt', String(attempt)],
  ]
  if (session !== undefined) facts.push(['Session', session])
  if (state !== undefined) facts.push(['State', state])
  if (cache !== undefined) facts.push(['Cached', `${cache.cachedTokens} tokens, and ${cache.cacheWriteTokens} written`])
  const rows = facts.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value)))
  return element('dl', { class: 'facts' }, ...rows)
}

function timelineOf({ timeline: steps, isWhole }: CallDetails): HTMLElement[] {
  const title = element('h3', {}, 'Timeline')
  if (steps === undefined) {
    return [title, element('p', { class: 'hint' }, 'The timeline is no longer stored.')]
  }
  const timeline = layOutTimeline(steps)
  const note = isWhole === true ? [] : [element('p', { class: 'hint' }, 'Some data is left out.')]
  return [title, ...(timeline.totalMs > 0 ? [barOf(timeline)] : []), stepsOf(timeline), ...note]
}

/** The timeline as a bar; the table below has the same steps as text. */
function barOf({ moments, totalMs }: Timeline): HTMLElement {
  const marks = moments
    .filter(({ step }) => step.type !== 'wait')
    .map(({ step, share, isDone }) => {
      const mark = element('span', { class: `mark ${step.type}${isDone ? '' : ' not-done'}` })
      mark.style.setProperty('inset-inline-start', `${(share * 100).toFixed(2)}%`)
      return mark
    })
  const scale = element('p', { class: 'scale' }, element('span', {}, '0'), element('span', {}, formatMs(totalMs)))
  return element('div', { 'aria-hidden': 'true' }, element('div', { class: 'bar' }, ...marks), scale)
}

function stepsOf({ moments }: Timeline): HTMLElement {
  let waitedMs = 0
  const rows: HTMLElement[] = []
  for (const moment of moments) {
    if (moment.step.type === 'wait') {
      waitedMs += moment.step.ms
      continue
    }
    rows.push(stepRow(moment, waitedMs))
    waitedMs = 0
  }
  const title = (text: string, kind: string): HTMLElement => element('th', { scope: 'col', class: kind }, text)
  const head = element(
    'tr',
    {},
    title('At', 'number'),
    title('Wait', 'number'),
    title('Step', ''),
    title('Bytes', 'number'),
    title('Data', ''),
  )
  const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...rows))
  return scrolled(table, 'Steps of the answer')
}

function stepRow({ step, atMs, isDone }: Moment, waitedMs: number): HTMLElement {
  const data = 'bytes' in step ? (step.data ?? '') : ''
  return element(
    'tr',
    isDone ? {} : { class: 'not-done' },
    element('td', { class: 'number' }, isDone ? formatMs(atMs) : 'never'),
    element('td', { class: 'number' }, waitedMs === 0 ? '' : formatMs(waitedMs)),
    element('td', {}, describeStep(step)),
    element('td', { class: 'number' }, 'bytes' in step ? String(step.bytes) : ''),
    element('td', { class: 'code data', title: data.slice(0, 2000) }, summarizeChunk(data).slice(0, 300)),
  )
}

const STEPS: Readonly<Record<string, string>> = {
  send: 'send',
  raw: 'send bytes that are not HTTP',
  flush: 'start a new packet',
  end: 'end',
  close: 'close the connection',
  reset: 'reset the connection',
  stall: 'stall until the client leaves',
}
const describeStep = (step: Step): string =>
  step.type === 'head' ? `head ${step.status}` : (STEPS[step.type] ?? step.type)

function requestOf({ body }: CallDetails): HTMLElement[] {
  const title = element('h3', {}, 'Request')
  if (body === undefined) return [title, element('p', { class: 'hint' }, 'The body is not stored.')]
  return [title, scrolled(element('pre', {}, JSON.stringify(body, null, 2)), 'Body of the request')]
}

function answerOf(call: CallDetails): HTMLElement[] {
  const { headers, timeline } = call
  if (timeline === undefined) return []
  const parts: HTMLElement[] = [element('h3', {}, 'Answer')]
  const body = joinBody(call)
  const answer = body === undefined ? undefined : readAnswer(body)
  if (answer !== undefined) {
    const { text, refusal, calls } = answer
    const shown = calls?.map(({ name, input }) => `${name}(${input})`).join('\n') ?? refusal ?? text ?? ''
    parts.push(element('blockquote', {}, shown))
  }
  if (body !== undefined && body !== '')
    parts.push(folded('Body', scrolled(element('pre', {}, formatJson(body)), 'Body'), answer === undefined))
  const lines = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`)
  if (lines.length > 0) parts.push(folded('Headers', scrolled(element('pre', {}, lines.join('\n')), 'Headers'), false))
  return parts
}

function folded(title: string, content: HTMLElement, isOpen: boolean): HTMLElement {
  return element('details', isOpen ? { open: '' } : {}, element('summary', {}, title), content)
}

/** A scrolling region that can be focused and scrolled with the keyboard. */
function scrolled(content: HTMLElement, label: string): HTMLElement {
  return element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, content)
}

const formatJson = (text: string): string => JSON.stringify(parseJson(text), null, 2) ?? text
