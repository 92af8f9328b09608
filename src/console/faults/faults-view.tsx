/** The view of faults: a form that injects one into the next calls, and the pending faults. */
import { useSignal } from '@preact/signals'
import type { JSX, TargetedSubmitEvent } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Fault, OptionSpec } from '../../core/faults/fault.ts'
import { say } from '../app/notices.tsx'
import { act, api, connections, status } from '../app/store.ts'
import { formatDefault } from './options.ts'

const KINDS: Readonly<Record<Fault['kind'], string>> = {
  answer: 'Errors',
  semantic: 'Wrong answers',
  wire: 'Broken and slow connections',
  stream: 'Broken streams',
}

type CatalogueFault = Pick<Fault, 'name' | 'kind' | 'summary' | 'options'>

interface Catalogue {
  readonly faults: readonly CatalogueFault[]
  /** The endpoints that a fault can be confined to. */
  readonly endpoints: readonly string[]
}

export function FaultsView(): JSX.Element {
  const catalogue = useSignal<Catalogue>({ faults: [], endpoints: [] })
  const chosen = useSignal('server-error')
  useEffect(
    () =>
      act(async () => {
        catalogue.value = await api.read<Catalogue>('/faults/catalogue')
      }),
    [connections.value],
  )
  const { faults, endpoints } = catalogue.value
  const fault = faults.find(({ name }) => name === chosen.value)
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const fields = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
    const { times = 1, ...rest } = Object.fromEntries(fields)
    act(() => inject({ ...rest, times: Number(times) }))
  }
  return (
    <section class="page" aria-labelledby="faults-title">
      <h2 id="faults-title">Inject a fault into the next calls</h2>
      <form class="row" onSubmit={submit}>
        <p>
          <label for="fault">Fault</label>
          <select
            id="fault"
            name="fault"
            value={chosen.value}
            onChange={({ currentTarget }) => {
              chosen.value = currentTarget.value
            }}
          >
            {[...new Set(faults.map(({ kind }) => kind))].map((kind) => (
              <optgroup key={kind} label={KINDS[kind]}>
                {faults
                  .filter((one) => one.kind === kind)
                  .map(({ name }) => (
                    <option key={name}>{name}</option>
                  ))}
              </optgroup>
            ))}
          </select>
        </p>
        {Object.entries(fault?.options ?? {}).map(([name, option]) => (
          <OptionField key={name} name={name} option={option} />
        ))}
        <p>
          <label for="times">Times</label>
          <input id="times" name="times" type="number" min={1} max={1000} defaultValue="1" required />
        </p>
        <p>
          <label for="fault-endpoint">Endpoint</label>
          <select id="fault-endpoint" name="endpoint">
            <option value="">any</option>
            {endpoints.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </p>
        <p>
          <label for="fault-key">Key</label>
          <input id="fault-key" name="key" placeholder="any" autocomplete="off" spellcheck={false} />
        </p>
        <p>
          <button type="submit" class="main">
            Inject
          </button>
        </p>
      </form>
      <p class="hint">{fault?.summary}</p>
      <Pending />
    </section>
  )
}

function Pending(): JSX.Element | null {
  const injected = status.value?.injected ?? []
  if (injected.length === 0) return null
  return (
    <div class="row">
      <ul class="pending" aria-label="Pending faults">
        {injected.map(({ fault, remaining }, index) => (
          <li key={index}>
            {fault} × {remaining}
          </li>
        ))}
      </ul>
      <button type="button" onClick={() => act(cancelAll)}>
        Cancel
      </button>
    </div>
  )
}

function OptionField({ name, option }: { name: string; option: OptionSpec }): JSX.Element {
  const id = `option-${name}`
  return (
    <p title={option.summary}>
      <label for={id}>{name}</label>
      {option.kind === 'choice' ? (
        <select id={id} name={name}>
          {option.default === undefined && <option value="" />}
          {option.of.map((value) => (
            <option key={value} selected={value === option.default}>
              {value}
            </option>
          ))}
        </select>
      ) : (
        <input id={id} name={name} placeholder={formatDefault(option)} autocomplete="off" size={6} />
      )}
    </p>
  )
}

async function inject(injection: { readonly times: number }): Promise<void> {
  await api.send('POST', '/faults', injection)
  const { fault } = injection as { readonly fault?: string }
  say(`The next ${injection.times === 1 ? 'call' : `${injection.times} calls`} will get ${fault}.`)
}

async function cancelAll(): Promise<void> {
  await api.send('DELETE', '/faults')
  say('Cancelled all pending faults.')
}
