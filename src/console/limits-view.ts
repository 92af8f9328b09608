/** The limits as gauges, a row for each limit of a key. */
import type { Gauge, KeyUsage } from '../shell/key-usage.ts'
import { byId, element } from './dom.ts'

export function showLimits(keys: readonly KeyUsage[]): void {
  byId('limits-table', HTMLElement).hidden = keys.length === 0
  byId('no-limits', HTMLElement).hidden = keys.length > 0
  const rows = keys.flatMap(({ key, limits }) => limits.map((gauge) => rowOf(key, gauge)))
  byId('limits', HTMLElement).replaceChildren(...rows)
}

function rowOf(key: string, { kind, limit, window, used }: Gauge): HTMLElement {
  // A part of one that has not refilled yet is no room for a call.
  const shown = Math.ceil(used - 1e-6)
  const meter = element('meter', { min: '0', max: String(limit), value: String(used), optimum: '0' })
  meter.low = 0.6 * limit
  meter.high = 0.9 * limit
  meter.setAttribute('aria-label', `${kind} of ${key}: ${shown} of ${limit} used`)
  return element(
    'tr',
    {},
    element('th', { scope: 'row', class: 'code' }, key),
    element('td', {}, `${limit.toLocaleString('en')} ${kind} per ${window}`),
    element('td', {}, meter),
    element('td', { class: 'number' }, Math.max(0, limit - shown).toLocaleString('en')),
  )
}
