/**
 * The scenario editor: CodeMirror with YAML, completion, explanations and the problems that the mock finds.
 *
 * It is in a separate chunk, which is loaded with the view. It lives in a shadow root, because CodeMirror then uses
 * adopted style sheets, which the content security policy of the page allows; style elements it does not.
 */
import { autocompletion, type CompletionContext, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { bracketMatching, indentOnInput } from '@codemirror/language'
import { forceLinting, linter, lintGutter, lintKeymap } from '@codemirror/lint'
import { unifiedMergeView } from '@codemirror/merge'
import { EditorState, type Extension, type Text } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  hoverTooltip,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { effect } from '@preact/signals'
import { act } from '../app/page-state.ts'
import { completionsAt, describeAt, type ScenarioSchema } from './completions.ts'
import { theme } from './editor-theme.ts'
import * as store from './scenario-store.ts'

/** The problems are checked this long after the last change. */
const CHECK_DELAY_MS = 300

/** Makes an editor of the text in the store. Typing changes the store, and the editor shows other changes of the store. */
export function mountEditor(parent: HTMLElement, schema: ScenarioSchema): () => void {
  /** A command of the editor for an action of the page; true means that it has handled its key. */
  const run = (action: () => Promise<void>) => (): boolean => {
    act(action)
    return true
  }
  const view = createView(parent, store.text.peek(), [
    keymap.of([
      { key: 'Mod-Enter', run: run(store.applyText) },
      { key: 'Mod-s', run: run(store.saveText) },
    ]),
    lineNumbers(),
    highlightActiveLine(),
    highlightActiveLineGutter(),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    autocompletion({ override: [(context) => complete(context, schema)], icons: false }),
    hoverTooltip((view, position) => explain(view, position, schema)),
    lintGutter(),
    linter(lint, { delay: CHECK_DELAY_MS }),
    keymap.of([...completionKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap]),
    EditorView.domEventHandlers({ beforeinput: replaceSelection }),
    EditorView.contentAttributes.of({ 'aria-label': 'Scenario as YAML' }),
    EditorView.updateListener.of((update) => update.docChanged && store.edit(update.state.doc.toString())),
  ])
  forceLinting(view)
  const stopReplacing = effect(() => {
    const { doc } = view.state
    const insert = store.text.value
    if (doc.toString() !== insert) view.dispatch({ changes: { from: 0, to: doc.length, insert } })
  })
  const stopMoving = effect(() => {
    if (store.wanted.value === undefined) return
    const { line, column } = store.wanted.value
    const anchor = findOffset(view.state.doc, line, column)
    view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) })
    view.focus()
    store.wanted.value = undefined
  })
  return () => {
    stopReplacing()
    stopMoving()
    view.destroy()
  }
}

/** Shows the differences between two texts; returns a function that removes it. */
export function mountChanges(parent: HTMLElement, original: string, text: string): () => void {
  const view = createView(parent, text, [
    lineNumbers(),
    unifiedMergeView({ original, mergeControls: false }),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': 'Changes to the active scenario', tabindex: '0' }),
  ])
  return () => view.destroy()
}

function createView(parent: HTMLElement, text: string, extensions: Extension): EditorView {
  const root = parent.shadowRoot ?? parent.attachShadow({ mode: 'open' })
  const state = EditorState.create({ doc: text, extensions: [extensions, yaml(), theme()] })
  const view = new EditorView({ state, root })
  root.append(view.dom)
  return view
}

/** Chromium would keep the style of replaced text in a style attribute, which the content security policy reports. */
function replaceSelection({ inputType, data }: InputEvent, view: EditorView): boolean {
  if (inputType !== 'insertText' || data === null || view.composing || view.state.selection.main.empty) return false
  view.dispatch(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
  return true
}

/** The completions: keys only on request, or when a word is begun. */
function complete({ state, pos, explicit }: CompletionContext, schema: ScenarioSchema) {
  const completions = completionsAt(state.doc.toString(), pos, schema)
  if (completions === undefined) return null
  const hasKeys = completions.options.some(({ type }) => type === 'property')
  const isWordBegun = completions.from < pos
  return explicit || isWordBegun || !hasKeys ? completions : null
}

/** Checks the text, and marks its problems and warnings. */
async function lint({ state: { doc } }: EditorView) {
  const { problems, warnings } = await store.check(doc.toString())
  const mark = (severity: 'error' | 'warning') => (problem: store.PlacedProblem) => ({
    ...findRange(doc, problem),
    severity,
    message: problem.message,
  })
  return [...problems.map(mark('error')), ...warnings.map(mark('warning'))]
}

/** The meaning of the key under the pointer. */
function explain(view: EditorView, position: number, schema: ScenarioSchema) {
  const key = describeAt(view.state.doc.toString(), position, schema)
  if (key === undefined) return null
  const dom = Object.assign(document.createElement('div'), { className: 'explanation', textContent: key.description })
  return { pos: key.from, end: key.to, above: true, create: () => ({ dom }) }
}

/** The offset of a line and a column; the end of the line if it is shorter, and of the text if it has fewer lines. */
function findOffset(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length
  const { from, length } = doc.line(line)
  return from + Math.min(column - 1, length)
}

/** A text in double or single quotes, a plain key or value, or any other character. */
const WORD = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s,:{}[\]](?:[^,:{}[\]#]|:(?=\S))*|.)/

/** The range to mark: the key, the value or the quoted text that begins at the problem, or else its line. */
export function findRange(doc: Text, { line, column }: store.PlacedProblem) {
  const from = findOffset(doc, line, column)
  const { text, from: lineStart, to: lineEnd } = doc.lineAt(from)
  const word = WORD.exec(text.slice(from - lineStart))?.[0].trimEnd() ?? ''
  if (word !== '') return { from, to: from + word.length }
  return { from: lineStart + text.search(/\S|$/), to: lineEnd }
}
