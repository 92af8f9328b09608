/** The scenario editor as a component. Its code and the JSON Schema are loaded when it is first shown. */
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { act, api } from '../app/page-state.ts'
import type { Editor, PlacedProblem } from './editor.ts'
import { applyText, check, checked, edit, text } from './scenario-store.ts'

type Place = Pick<PlacedProblem, 'line' | 'column'>

/** The editor that is shown, to move its cursor. */
let shown: Editor | undefined
/** The place to go to as soon as an editor is shown. */
let wanted: Place | undefined

export function goTo(place: Place): void {
  if (shown === undefined) wanted = place
  else shown.goTo(place)
}

export function CodeEditor(): JSX.Element {
  const host = useRef<HTMLDivElement>(null)
  const [editor, setEditor] = useState<Editor>()
  useEffect(() => {
    let isWanted = true
    let made: Editor | undefined
    act(async () => {
      const [{ Editor }, schema] = await Promise.all([import('./editor.ts'), api.read<object>('/scenario/schema')])
      if (!isWanted) return
      made = new Editor({
        parent: host.current!,
        text: text.value,
        schema,
        check,
        onChange: edit,
        onChecked: (found) => {
          checked.value = found
        },
        onApply: () => act(applyText),
      })
      shown = made
      setEditor(made)
      if (wanted !== undefined) made.goTo(wanted)
      wanted = undefined
    })
    return () => {
      isWanted = false
      made?.destroy()
      shown = undefined
    }
  }, [])
  const written = text.value
  // The newest text: by now, more may have been typed than was drawn.
  useEffect(() => editor?.replace(text.peek()), [editor, written])
  return <CodeHost host={host} isLoading={editor === undefined} />
}

/** The differences between the active scenario and the edited text. */
export function Changes({ original, changed }: { original: string; changed: string }): JSX.Element {
  const host = useRef<HTMLDivElement>(null)
  const [isLoading, setLoading] = useState(true)
  useEffect(() => {
    let remove = (): void => {}
    let isWanted = true
    act(async () => {
      const { showChanges } = await import('./editor.ts')
      if (!isWanted) return
      remove = showChanges(host.current!, original, changed)
      setLoading(false)
    })
    return () => {
      isWanted = false
      remove()
    }
  }, [original, changed])
  return <CodeHost host={host} isLoading={isLoading} />
}

interface HostProps {
  readonly host: { current: HTMLDivElement | null }
  readonly isLoading: boolean
}

const CodeHost = ({ host, isLoading }: HostProps): JSX.Element => (
  <div class="code-host" aria-busy={isLoading}>
    {isLoading && <p class="empty">Loading the editor.</p>}
    {/* Its keys are not shortcuts of the page. */}
    <div ref={host} class="code" onKeyDown={(event) => event.stopPropagation()} />
  </div>
)
