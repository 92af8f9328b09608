/** The form that injects faults, built from the server's catalogue, and the pending faults. */
import type { MockStatus } from '../../control-plane/event-stream.ts'
import type { Fault, OptionSpec } from '../../core/faults/fault.ts'
import type { ControlApi } from '../control-api.ts'
import { addOptions, byId, element, say } from '../dom.ts'

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

export class FaultForm {
  readonly #api: ControlApi
  readonly #choice = byId('fault', HTMLSelectElement)
  readonly #options = byId('fault-options', HTMLElement)
  #catalogue: readonly CatalogueFault[] = []

  constructor(api: ControlApi, act: (what: () => Promise<void>) => void) {
    this.#api = api
    this.#choice.addEventListener('input', () => this.#showOptions())
    byId('fault-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault()
      act(() => this.#inject())
    })
    byId('clear-faults', HTMLButtonElement).addEventListener('click', () =>
      act(async () => {
        await api.send('DELETE', '/faults')
        say('Cancelled all pending faults.')
      }),
    )
  }

  async load(): Promise<void> {
    const { faults, endpoints } = await this.#api.read<Catalogue>('/faults/catalogue')
    this.#catalogue = faults
    addOptions(byId('fault-endpoint', HTMLSelectElement), endpoints)
    const kinds = [...new Set(faults.map(({ kind }) => kind))]
    const groups = kinds.map((kind) => {
      const names = faults.filter((fault) => fault.kind === kind).map(({ name }) => name)
      const options = names.map((name) => element('option', { value: name }, name))
      return element('optgroup', { label: KINDS[kind] }, ...options)
    })
    const chosen = this.#choice.value
    this.#choice.replaceChildren(...groups)
    this.#choice.value = faults.some(({ name }) => name === chosen) ? chosen : 'server-error'
    this.#showOptions()
  }

  /** Adds keys to the suggestions. */
  offerKeys(keys: readonly string[]): void {
    addOptions(byId('known-keys', HTMLDataListElement), keys)
  }

  showInjected(injected: MockStatus['injected']): void {
    byId('injected-field', HTMLElement).hidden = injected.length === 0
    const items = injected.map(({ fault, remaining }) => element('li', {}, `${fault} × ${remaining}`))
    byId('injected', HTMLElement).replaceChildren(...items)
  }

  #showOptions(): void {
    const fault = this.#catalogue.find(({ name }) => name === this.#choice.value)
    byId('fault-summary', HTMLElement).textContent = fault?.summary ?? ''
    const fields = Object.entries(fault?.options ?? {}).map(([name, option]) => createField(name, option))
    this.#options.replaceChildren(...fields)
  }

  async #inject(): Promise<void> {
    const fault = this.#choice.value
    const times = byId('times', HTMLInputElement).valueAsNumber
    const endpoint = byId('fault-endpoint', HTMLSelectElement).value
    const key = byId('fault-key', HTMLInputElement).value
    const options = Array.from(this.#options.querySelectorAll<HTMLInputElement | HTMLSelectElement>('input, select'))
    await this.#api.send('POST', '/faults', {
      fault,
      times,
      ...(endpoint !== '' && { endpoint }),
      ...(key !== '' && { key }),
      ...Object.fromEntries(options.filter(({ value }) => value !== '').map(({ name, value }) => [name, value])),
    })
    const calls = `call${times === 1 ? '' : 's'}${endpoint === '' ? '' : ` to ${endpoint}`}${key === '' ? '' : ` with ${key}`}`
    say(`The next ${times === 1 ? '' : `${times} `}${calls} will get ${fault}.`)
  }
}

function createField(name: string, option: OptionSpec): HTMLElement {
  const id = `option-${name}`
  const { summary } = option
  const label = element('label', { for: id, title: summary }, name)
  if (option.kind !== 'choice') {
    const attributes = { id, name, title: summary, placeholder: formatDefault(option), autocomplete: 'off', size: '6' }
    return element('p', {}, label, element('input', attributes))
  }
  const choices = option.of.map((value) =>
    element('option', value === option.default ? { value, selected: '' } : { value }, value),
  )
  const none = option.default === undefined ? [element('option', { value: '' }, '')] : []
  return element('p', {}, label, element('select', { id, name, title: summary }, ...none, ...choices))
}

/** The default of an option as a user would write it; '' without one. */
export function formatDefault({ kind, default: value }: OptionSpec): string {
  if (value === undefined) return ''
  if (kind !== 'duration') return String(value)
  return value % 1000 === 0 ? `${value / 1000}s` : `${value}ms`
}
