/** The scenario editor and the view of changes as components. Their code, editor.ts, is loaded when one is first shown. */
import { useEffect, useRef } from 'preact/hooks'
import { api } from '../app/control-api.ts'
import { useLoaded } from '../app/page-state.ts'

/** An editor of the text in the scenario store. */
export function CodeEditor() {
  const load = async (): Promise<Mount> => {
    const [{ mountEditor }, schema] = await Promise.all([import('./editor.ts'), api.read<object>('/scenario/schema')])
    return (parent) => mountEditor(parent, schema)
  }
  return <CodeHost load={load} />
}

/** The differences between the active scenario and the edited text. */
export function Changes({ original, changed }: { original: string; changed: string }) {
  if (original === changed) return <p class="empty">The text in the editor is the active scenario.</p>
  const load = async (): Promise<Mount> => {
    const { mountChanges } = await import('./editor.ts')
    return (parent) => mountChanges(parent, original, changed)
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
