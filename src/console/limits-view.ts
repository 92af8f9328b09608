/** Shows the limits as meters, one row per limit of a key. */
import type { KeyUsage, LimitUsage } from '../core/journal/limit-usage.ts'
import { byId, element } from './dom.ts'

/** Budgets in dollars may be small parts of a cent. */
const DIGITS = { maximumFractionDigits: 6 }

export function showLimits(keys: readonly KeyUsage[]): void {
  byId('limits-table', HTMLElement).hidden = keys.length === 0
  byId('no-limits', HTMLElement).hidden = keys.length > 0
  const rows = keys.flatMap(({ key, session, limits }) => {
    const owner = session === undefined ? key : `${key}, session ${session}`
    return limits.map((usage) => createRow(owner, usage))
  })
  byId('limits', HTMLElement).replaceChildren(...rows)
}

function createRow(owner: string, usage: LimitUsage): HTMLElement {
  const { kind, limit, used } = usage
  const meter = element('meter', { min: '0', max: String(limit), value: String(used), optimum: '0' })
  meter.low = 0.6 * limit
  meter.high = 0.9 * limit
  meter.setAttribute('aria-label', `${kind} of ${owner}: ${used} of ${limit} used`)
  return element(
    'tr',
    {},
    element('th', { scope: 'row', class: 'code' }, owner),
    element('td', {}, describeLimit(usage)),
    element('td', {}, meter),
    element('td', { class: 'number' }, Math.max(0, limit - used).toLocaleString('en', DIGITS)),
  )
}

function describeLimit({ kind, limit, window, model }: LimitUsage): string {
  const number = limit.toLocaleString('en', DIGITS)
  if (kind === 'budget.usd') return `budget of $${number}`
  if (kind.startsWith('budget.')) return `budget of ${number} ${kind.slice('budget.'.length)}`
  const text = window === undefined ? `${number} concurrent` : `${number} ${kind} per ${window}`
  return model === undefined ? text : `${text}, ${model}`
}
