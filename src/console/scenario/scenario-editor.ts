/** The scenario: a switch to the built-in ones, and the text in force, edited in place, with every problem of it. */
import { type ControlApi, Refusal } from '../control-api.ts'
import { byId, element, say } from '../dom.ts'
import { offsetAt, type PlacedProblem, problemsIn } from './problem-lines.ts'

interface InForce {
  readonly name: string
  readonly text: string
  readonly source: { readonly keys?: Readonly<Record<string, unknown>> }
  /** Right after it was put in force: what of it can never come to pass. */
  readonly warnings?: readonly PlacedProblem[]
}

export class ScenarioEditor {
  /** Told the keys that the scenario lists. */
  onKeys: (keys: readonly string[]) => void = () => {}

  readonly #api: ControlApi
  readonly #text = byId('scenario-text', HTMLTextAreaElement)
  readonly #choice = byId('built-in', HTMLSelectElement)
  #name = ''
  #inForce = ''
  #summaries: ReadonlyMap<string, string> = new Map()

  constructor(api: ControlApi, act: (what: () => Promise<void>) => void) {
    this.#api = api
    byId('built-in-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault()
      act(() => this.#put({ scenario: this.#choice.value }))
    })
    this.#choice.addEventListener('input', () => this.#showSummary())
    byId('scenario-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault()
      act(() => this.#put(this.#text.value))
    })
    this.#text.addEventListener('input', () => this.#showDirty())
    this.#text.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.#text.form!.requestSubmit()
    })
    byId('scenario-undo', HTMLButtonElement).addEventListener('click', () => {
      this.#text.value = this.#inForce
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
    this.#choose()
  }

  /** Shows what is in force now; what is being edited stays. */
  async load(): Promise<void> {
    this.#show(await this.#api.read<InForce>('/scenario'), !this.#isDirty)
  }

  get #isDirty(): boolean {
    return this.#text.value !== this.#inForce
  }

  async #put(scenario: string | { scenario: string }): Promise<void> {
    try {
      const response = await this.#api.send('PUT', '/scenario', scenario)
      const inForce = (await response.json()) as InForce
      this.#show(inForce, true)
      this.#showProblems(inForce.warnings ?? [], 'warning', 'the scenario is in force')
      say('The scenario is in force.')
    } catch (error) {
      const problems = error instanceof Refusal ? problemsIn(error.message) : []
      if (problems.length === 0) throw error
      this.#showProblems(problems)
    }
  }

  #show({ name, text, source }: InForce, isShown: boolean): void {
    // A field for text has line feeds only; what it gives back is to be the same.
    this.#inForce = text.replace(/\r\n?/g, '\n')
    if (isShown) this.#text.value = this.#inForce
    this.#name = name
    this.#choose()
    this.#showDirty()
    this.onKeys(Object.keys(source.keys ?? {}).filter((key) => !key.includes('*')))
  }

  #choose(): void {
    if (this.#summaries.has(this.#name)) this.#choice.value = this.#name
    this.#showSummary()
  }

  #showSummary(): void {
    byId('built-in-summary', HTMLElement).textContent = this.#summaries.get(this.#choice.value) ?? ''
  }

  #showDirty(): void {
    byId('scenario-dirty', HTMLElement).textContent = this.#isDirty ? '(changed, and not in force)' : ''
  }

  #showProblems(
    problems: readonly PlacedProblem[],
    kind = 'problem',
    outcome = 'the scenario before stays in force',
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
    const start = offsetAt(text.value, line, column)
    const rest = text.value.slice(start)
    const word = /^[^\s:]+/.exec(rest)?.[0].length ?? 0
    text.focus()
    text.setSelectionRange(start, start + word)
    const lines = text.value.split('\n').length
    text.scrollTop = (text.scrollHeight * (line - 1)) / lines - text.clientHeight / 2
  }
}
