/** Edits the scenario: switches to a built-in one, or applies an edited text and shows its problems. */
import { type ControlApi, Refusal } from '../control-api.ts'
import { byId, element, say } from '../dom.ts'
import { findOffset, type PlacedProblem, readProblems } from './problem-lines.ts'

interface CurrentScenario {
  readonly name: string
  readonly text: string
  readonly source: { readonly keys?: Readonly<Record<string, unknown>> }
  /** Warnings about parts that can never apply; only when the scenario was just applied. */
  readonly warnings?: readonly PlacedProblem[]
}

export class ScenarioEditor {
  /** Called with the keys that the scenario lists. */
  onKeys: (keys: readonly string[]) => void = () => {}

  readonly #api: ControlApi
  readonly #text = byId('scenario-text', HTMLTextAreaElement)
  readonly #choice = byId('built-in', HTMLSelectElement)
  #name = ''
  #appliedText = ''
  #summaries: ReadonlyMap<string, string> = new Map()

  constructor(api: ControlApi, act: (what: () => Promise<void>) => void) {
    this.#api = api
    byId('built-in-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault()
      act(() => this.#apply({ scenario: this.#choice.value }))
    })
    this.#choice.addEventListener('input', () => this.#showSummary())
    byId('scenario-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault()
      act(() => this.#apply(this.#text.value))
    })
    this.#text.addEventListener('input', () => this.#showDirty())
    this.#text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#text.form!.requestSubmit()
    })
    byId('scenario-undo', HTMLButtonElement).addEventListener('click', () => {
      this.#text.value = this.#appliedText
      this.#showDirty()
      this.#showProblems([])
    })
  }

  focus(): void {
    this.#text.focus()
  }

  async loadBuiltIn(): Promise<void> {
    const { scenarios } = await this.#api.read<{ scenarios: { name: string; description: string }[] }>('/scenarios')
    this.#summaries = new Map(scenarios.map(({ name, description }) => [name, description]))
    this.#choice.replaceChildren(...scenarios.map(({ name }) => element('option', { value: name }, name)))
    this.#selectBuiltIn()
  }

  /** Shows the current scenario; unsaved edits stay. */
  async load(): Promise<void> {
    this.#show(await this.#api.read<CurrentScenario>('/scenario'), !this.#isDirty)
  }

  get #isDirty(): boolean {
    return this.#text.value !== this.#appliedText
  }

  async #apply(scenario: string | { scenario: string }): Promise<void> {
    try {
      const response = await this.#api.send('PUT', '/scenario', scenario)
      const current = (await response.json()) as CurrentScenario
      this.#show(current, true)
      this.#showProblems(current.warnings ?? [], 'warning', 'the scenario is applied')
      say('The scenario is applied.')
    } catch (error) {
      const problems = error instanceof Refusal ? readProblems(error.message) : []
      if (problems.length === 0) throw error
      this.#showProblems(problems)
    }
  }

  #show({ name, text, source }: CurrentScenario, isShown: boolean): void {
    // A text area normalizes line ends.
    this.#appliedText = text.replace(/\r\n?/g, '\n')
    if (isShown) this.#text.value = this.#appliedText
    this.#name = name
    this.#selectBuiltIn()
    this.#showDirty()
    this.onKeys(Object.keys(source.keys ?? {}).filter((key) => !key.includes('*')))
  }

  #selectBuiltIn(): void {
    if (this.#summaries.has(this.#name)) this.#choice.value = this.#name
    this.#showSummary()
  }

  #showSummary(): void {
    byId('built-in-summary', HTMLElement).textContent = this.#summaries.get(this.#choice.value) ?? ''
  }

  #showDirty(): void {
    byId('scenario-dirty', HTMLElement).textContent = this.#isDirty ? '(changed, not applied)' : ''
  }

  #showProblems(
    problems: readonly PlacedProblem[],
    kind = 'problem',
    outcome = 'the previous scenario stays active',
  ): void {
    byId('problems-field', HTMLElement).hidden = problems.length === 0
    const many = problems.length === 1 ? `A ${kind}` : `${problems.length} ${kind}s`
    byId('problems-title', HTMLElement).textContent = `${many}: ${outcome}`
    const items = problems.map((problem) => {
      const place = element('button', { type: 'button', class: 'place' }, `${problem.line}:${problem.column}`)
      place.setAttribute('aria-label', `Go to line ${problem.line}, column ${problem.column}`)
      place.addEventListener('click', () => this.#goTo(problem))
      return element('li', {}, place, ' ', problem.message)
    })
    byId('problems', HTMLElement).replaceChildren(...items)
  }

  #goTo({ line, column }: PlacedProblem): void {
    const text = this.#text
    const start = findOffset(text.value, line, column)
    const rest = text.value.slice(start)
    const word = /^[^\s:]+/.exec(rest)?.[0].length ?? 0
    text.focus()
    text.setSelectionRange(start, start + word)
    const lines = text.value.split('\n').length
    text.scrollTop = (text.scrollHeight * (line - 1)) / lines - text.clientHeight / 2
  }
}
