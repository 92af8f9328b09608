/** The scenario editor and the view of changes as components. Their code, editor.ts, is loaded when one is first shown. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api } from '../app/control-api.ts'
import { useLoaded } from '../app/page-state.ts'
import type { Editor } from './editor.ts'
import { text, wanted } from './scenario-store.ts'

/** An editor of the text in the scenario store. Typing changes the store, and the editor shows other changes of the store. */
export function CodeEditor() {
  const [editor, setEditor] = useState<Editor>()
  const written = text.value
  const place = wanted.value
  // In layout effects, because the next key belongs to the new text and place. `peek`, because more may have been typed
  // than was drawn.
  useLayoutEffect(() => editor?.replace(text.peek()), [editor, written])
  useLayoutEffect(() => {
    if (editor === undefined || place === undefined) return
    editor.goTo(place)
    wanted.value = undefined
  }, [editor, place])
  const load = async (): Promise<Mount> => {
    const [{ createEditor }, schema] = await Promise.all([import('./editor.ts'), api.read<object>('/scenario/schema')])
    return (parent) => {
      const created = createEditor(parent, schema)
      setEditor(created)
      return created.destroy
    }
  }
  return <CodeHost load={load} />
}

/** The differences between the active scenario and the edited text. */
export function Changes({ original, changed }: { original: string; changed: string }) {
  if (original === changed) return <p class="empty">The text in the editor is the active scenario.</p>
  const load = async (): Promise<Mount> => {
    const { showChanges } = await import('./editor.ts')
    return (parent) => showChanges(parent, original, changed)
  }
  return <CodeHost key={`${original}\n${changed}`} load={load} />
}

/** Makes an editor in an element, and returns a function that removes it. */
type Mount = (parent: HTMLElement) => () => void

/** An element with an editor, as soon as its code is loaded. */
function CodeHost({ load }: { load: () => Promise<Mount> }) {
  const host = useRef<HTMLDivElement>(null)
  const mount = useLoaded(load, [])
  const isLoading = mount === undefined
  useEffect(() => mount?.(host.current!), [mount])
  return (
    <div class="code-host" aria-busy={isLoading}>
      {isLoading && <p class="empty">Loading the editor.</p>}
      {/* Its keys are not shortcuts of the page. */}
      <div ref={host} class="code" onKeyDown={(event) => event.stopPropagation()} />
    </div>
  )
}
