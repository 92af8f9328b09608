/** The active scenario, the text that is being edited, and its problems. Kept while other views are shown. */
import { computed, signal } from '@preact/signals'
import type { FileContent } from '../../server/index.ts'
import { api, ControlApiError } from '../app/control-api.ts'
import { ask, say } from '../app/messages.tsx'
import { act, readCall } from '../app/page-state.ts'
import { pathTo } from '../app/router.ts'
import { formatCount } from '../parts/format.ts'
import { addRule, formatRule } from './scenario-rule.ts'

interface ActiveScenario {
  readonly name: string
  readonly text: string
  /** The file of the server; undefined for a server without one. */
  readonly file?: FileContent
}

/** A place in a text, from line 1 and column 1. */
export interface EditorPlace {
  readonly line: number
  readonly column: number
}

export interface PlacedProblem extends EditorPlace {
  readonly message: string
}

/** The problems and warnings that the mock finds in a text. */
interface CheckedText {
  readonly problems: readonly PlacedProblem[]
  readonly warnings: readonly PlacedProblem[]
}

/** Undefined until it is loaded. */
export const active = signal<ActiveScenario>()
/** The edited text; undefined without changes. */
const draft = signal<string>()
export const text = computed(() => draft.value ?? active.value?.text ?? '')
export const isChanged = computed(() => draft.value !== undefined && draft.value !== active.value?.text)
export const checked = signal<CheckedText>({ problems: [], warnings: [] })
/** The place to go to as soon as the editor is shown; undefined once it is there. */
export const wanted = signal<EditorPlace>()
/** The built-in scenarios; empty until they are loaded. */
export const builtIn = signal<readonly { readonly name: string; readonly description: string }[]>([])

export function edit(changed: string): void {
  draft.value = changed === active.value?.text ? undefined : changed
}

export const discard = (): void => {
  draft.value = undefined
}

/** Goes to a place in the editor. */
export const goTo = (place: EditorPlace): void => {
  wanted.value = place
}

/** The version of the file that the text in the editor was made from. A file with another version is not overwritten. */
let baseVersion: string | undefined
/** True if the text in the editor was loaded from the file. */
let isOfFile = false

export async function loadActive(): Promise<void> {
  show(await api.read<ActiveScenario>('/scenario'))
}

// The editor has line feeds only.
const withLineFeeds = (written: string): string => written.replace(/\r\n?/g, '\n')

function show({ name, text: written, file }: ActiveScenario): void {
  const inFile = file?.text === undefined ? undefined : withLineFeeds(file.text)
  const shownFile = file && { ...file, ...(inFile !== undefined && { text: inFile }) }
  active.value = { name, text: withLineFeeds(written), ...(shownFile && { file: shownFile }) }
  const isInFile = text.value === inFile
  if (baseVersion === undefined || isInFile) baseVersion = file?.version
  if (isInFile || (file !== undefined && name.startsWith(file.path))) isOfFile = true
}

/** Puts the text of the file into the editor. */
export function loadFile({ text: inFile = '', version }: FileContent): void {
  edit(inFile)
  isOfFile = true
  baseVersion = version
}

export async function check(written: string): Promise<CheckedText> {
  const response = await api.send('POST', '/scenario/check', written)
  return (await response.json()) as CheckedText
}

/** Applies the edited text; with problems, the active scenario stays. */
export const applyText = (): Promise<void> => submit('applied', apply)

/** Saves the text in the editor to the file of the server, and applies it. */
export async function saveText(): Promise<void> {
  const { name = '', file } = active.value ?? {}
  if (file === undefined) return
  const question = {
    title: `Replace the text of ${file.path}?`,
    text: `The text in the editor comes from the scenario ${name}. The text of the file would be lost.`,
    yes: 'Replace',
  }
  if (!isOfFile && !(await ask(question))) return
  await submit('saved', async (written) => {
    const path = `/scenario/file?version=${baseVersion ?? ''}`
    const response = await api.send('PUT', path, written).catch(async (error: Error) => {
      // The file may have changed: its text is offered.
      await loadActive()
      throw error
    })
    const saved = (await response.json()) as ActiveScenario
    baseVersion = saved.file?.version
    show(saved)
    say(`Saved to ${file.path}. It is the active scenario.`)
  })
}

/** Sends the text in the editor, or shows its problems. */
async function submit(done: string, send: (written: string) => Promise<void>): Promise<void> {
  const written = text.value
  try {
    await send(written)
  } catch (error) {
    if (!(error instanceof ControlApiError) || error.status !== 400) throw error
    checked.value = await check(written)
    const { problems } = checked.value
    if (problems.length === 0) throw error
    say(`Not ${done}: ${formatCount(problems.length, 'problem')}. The active scenario stays.`, { isProblem: true })
    return
  }
  discard()
}

/** Applies a text, or a built-in scenario by its name. The message has a button that applies the last one again. */
export async function apply(scenario: string | { readonly scenario: string }): Promise<void> {
  const before = active.value
  const isText = typeof scenario === 'string'
  const response = await api.send('PUT', isText ? '/scenario?edited=true' : '/scenario', scenario)
  show((await response.json()) as ActiveScenario)
  if (!isText) isOfFile = false
  const label = isText ? 'The scenario is applied' : `${scenario.scenario} is applied`
  if (before === undefined) return say(`${label}.`)
  const last = builtIn.value.some(({ name }) => name === before.name) ? { scenario: before.name } : before.text
  const undo = () => act(() => apply(last))
  say(`${label}. Attempts, limits and pending faults are reset.`, { action: { label: 'Undo', run: undo } })
}

/** The address that adds a rule from a call to the edited text. */
export const pathToRuleFrom = (number: number): string => pathTo('scenario', 'add', number)

/** Adds a rule that answers calls like this one to the edited text, and goes to it. */
export async function addRuleFrom(number: number): Promise<void> {
  if (active.value === undefined) await loadActive()
  const added = addRule(text.value, formatRule(await readCall(number)))
  edit(added.text)
  goTo({ line: added.line, column: 1 })
  say(`Added a rule from call ${number}. Change its answer, and apply the scenario.`)
}
