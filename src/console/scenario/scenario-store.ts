/**
 * The active scenario and the text in the editor, as signals that last while other views are shown, and the actions on the
 * text: edit, check, apply, and save to the scenario file of the server.
 *
 *     active     the scenario that the mock answers by
 *     draft      the text with the user's changes
 *     text       the draft, or without one the text of the active scenario
 */
import { computed, signal } from '@preact/signals'
import type { Problem } from '../../core/scenario/check/problem.ts'
import type { FileContent } from '../../server/index.ts'
import { api, ControlApiError } from '../app/control-api.ts'
import { ask, say } from '../app/messages.tsx'
import { act, readCall } from '../app/page-state.ts'
import { formatCount } from '../parts/format.ts'
import { addRule, formatRule } from './rule-text.ts'

interface ActiveScenario {
  readonly name: string
  readonly text: string
  /** The file of the server; undefined for a server without one. */
  readonly file?: FileContent
}

export type PlacedProblem = Required<Pick<Problem, 'message' | 'line' | 'column'>>
/** A place in a text, from line 1 and column 1. */
export type EditorPlace = Pick<PlacedProblem, 'line' | 'column'>

/** The problems and warnings that the mock finds in a text. */
type CheckedText = Readonly<Record<'problems' | 'warnings', readonly PlacedProblem[]>>

/** The scenario that the mock answers by; undefined until it is loaded. */
export const active = signal<ActiveScenario>()
/** The edited text; undefined without changes. */
const draft = signal<string>()
/** The text in the editor. */
export const text = computed(() => draft.value ?? active.value?.text ?? '')
export const isChanged = computed(() => draft.value !== undefined && draft.value !== active.value?.text)
/** The result of the last check of the text. */
export const checked = signal<CheckedText>({ problems: [], warnings: [] })
/** The place in the text to which the editor goes as soon as it is shown; undefined once it is there. */
export const wanted = signal<EditorPlace>()
/** The built-in scenarios; empty until they are loaded. */
export const builtIn = signal<readonly { readonly name: string; readonly description: string }[]>([])

/**
 * The version of the file that the text in the editor was made from, and which saving replaces. The server refuses to
 * replace another one. Set when the editor has the text of the file: at first, when it is loaded, and when it was saved.
 */
let baseVersion: string | undefined
/** False while the text in the editor comes from elsewhere, such as a built-in scenario: saving then asks first. */
let isFromFile = false

export function edit(changed: string): void {
  draft.value = changed === active.value?.text ? undefined : changed
}

export function discard(): void {
  draft.value = undefined
}

export async function loadActive(): Promise<void> {
  setActive(await api.read<ActiveScenario>('/scenario'))
}

/** Takes an answer of the mock. Its texts get line feeds, as the editor has no other line ends. */
function setActive(answer: ActiveScenario): void {
  const withLineFeeds = <Part extends { readonly text?: string }>(part: Part): Part =>
    part.text === undefined ? part : { ...part, text: part.text.replace(/\r\n?/g, '\n') }
  const file = answer.file && withLineFeeds(answer.file)
  active.value = { ...withLineFeeds(answer), ...(file && { file }) }
  const isTextOfFile = file !== undefined && text.value === file.text
  if (baseVersion === undefined || isTextOfFile) baseVersion = file?.version
  // A scenario from the file has its path as its name, with a note if it was edited.
  if (isTextOfFile || (file !== undefined && answer.name.startsWith(file.path))) isFromFile = true
}

/** Puts the text of the file into the editor. */
export function loadFile({ text: inFile = '', version }: FileContent): void {
  edit(inFile)
  isFromFile = true
  baseVersion = version
}

/** Lets the mock check a text, and keeps the result in `checked`. */
export async function check(written: string): Promise<CheckedText> {
  checked.value = await api.call('POST', '/scenario/check', written)
  return checked.value
}

/** Applies the text in the editor; with problems, the active scenario stays. */
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
  if (!isFromFile && !(await ask(question))) return
  await submit('saved', async (written) => {
    const path = `/scenario/file?version=${baseVersion ?? ''}`
    const saved = await api.call<ActiveScenario>('PUT', path, written).catch(async (error: Error) => {
      // The file may have changed on disk. Its new text is read, so that the view offers to load it.
      await loadActive()
      throw error
    })
    baseVersion = saved.file?.version
    setActive(saved)
    say(`Saved to ${file.path}. It is the active scenario.`)
  })
}

/** Sends the text in the editor, or shows its problems. @param done the word for the message: `Not saved: 2 problems.` */
async function submit(done: string, send: (written: string) => Promise<void>): Promise<void> {
  const written = text.value
  try {
    await send(written)
    discard()
  } catch (error) {
    if (!(error instanceof ControlApiError) || error.status !== 400) throw error
    const { problems } = await check(written)
    if (problems.length === 0) throw error
    const count = formatCount(problems.length, 'problem')
    say(`Not ${done}: ${count}. The active scenario stays.`, { isProblem: true })
  }
}

/** Applies a text, or a built-in scenario by its name. The message has a button that applies the last one again. */
export async function apply(scenario: string | { readonly scenario: string }): Promise<void> {
  const before = active.value
  const isText = typeof scenario === 'string'
  setActive(await api.call('PUT', isText ? '/scenario?edited=true' : '/scenario', scenario))
  if (!isText) isFromFile = false
  const label = isText ? 'The scenario is applied' : `${scenario.scenario} is applied`
  if (before === undefined) return say(`${label}.`)
  const wasBuiltIn = builtIn.value.some(({ name }) => name === before.name)
  const undo = () => act(() => apply(wasBuiltIn ? { scenario: before.name } : before.text))
  say(`${label}. Attempts, limits and pending faults are reset.`, { action: { label: 'Undo', run: undo } })
}

/** Adds a rule that answers calls like this one to the edited text, and goes to it. */
export async function addRuleFrom(number: number): Promise<void> {
  if (active.value === undefined) await loadActive()
  const added = addRule(text.value, formatRule(await readCall(number)))
  edit(added.text)
  wanted.value = { line: added.line, column: 1 }
  say(`Added a rule from call ${number}. Change its answer, and apply the scenario.`)
}
