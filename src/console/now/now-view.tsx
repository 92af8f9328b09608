/** The view of what the mock counts now: the limits and budgets of each key. */
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { KeyUsage, LimitUsage } from '../../core/journal/limit-usage.ts'
import { act, api } from '../app/store.ts'

const REFRESH_MS = 1000

/** Budgets in dollars may be small parts of a cent. */
const DIGITS = { maximumFractionDigits: 6 }

export function NowView(): JSX.Element {
  const keys = useSignal<readonly KeyUsage[]>([])
  useEffect(() => {
    const load = () =>
      act(async () => {
        keys.value = (await api.read<{ keys: readonly KeyUsage[] }>('/limits')).keys
      })
    load()
    const timer = setInterval(() => !document.hidden && load(), REFRESH_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <section class="page" aria-labelledby="limits-title">
      <h2 id="limits-title">Limits and budgets</h2>
      {keys.value.length === 0 ? <p class="empty">No key has used a limit yet.</p> : <LimitsTable keys={keys.value} />}
    </section>
  )
}

function LimitsTable({ keys }: { keys: readonly KeyUsage[] }): JSX.Element {
  return (
    <table>
      <caption class="unseen">Limits of each key, fullest first</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">Limit</th>
          <th scope="col">Used</th>
          <th scope="col" class="number">
            Left
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.flatMap(({ key, session, limits }) => {
          const owner = session === undefined ? key : `${key}, session ${session}`
          return limits.map((usage, index) => <LimitRow key={`${owner} ${index}`} owner={owner} usage={usage} />)
        })}
      </tbody>
    </table>
  )
}

function LimitRow({ owner, usage }: { owner: string; usage: LimitUsage }): JSX.Element {
  const { kind, limit, used } = usage
  return (
    <tr>
      <th scope="row" class="code">
        {owner}
      </th>
      <td>{describeLimit(usage)}</td>
      <td>
        <meter
          min={0}
          max={limit}
          value={used}
          low={0.6 * limit}
          high={0.9 * limit}
          optimum={0}
          aria-label={`${kind} of ${owner}: ${used} of ${limit} used`}
        />
      </td>
      <td class="number">{Math.max(0, limit - used).toLocaleString('en', DIGITS)}</td>
    </tr>
  )
}

function describeLimit({ kind, limit, window, model }: LimitUsage): string {
  const number = limit.toLocaleString('en', DIGITS)
  if (kind === 'budget.usd') return `budget of $${number}`
  if (kind.startsWith('budget.')) return `budget of ${number} ${kind.slice('budget.'.length)}`
  const text = window === undefined ? `${number} concurrent` : `${number} ${kind} per ${window}`
  return model === undefined ? text : `${text}, ${model}`
}
