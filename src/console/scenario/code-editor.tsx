/** The scenario editor as a component: editor.ts, which is loaded with the JSON Schema when the editor is first shown. */
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { api } from '../app/control-api.ts'
import { useLoaded } from '../app/page-state.ts'
import type { Editor } from './editor.ts'
import { text, wanted } from './scenario-store.ts'

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
  const load = () => Promise.all([import('./editor.ts'), api.read<object>('/scenario/schema')])
  const fill = ([{ createEditor }, schema]: Awaited<ReturnType<typeof load>>, parent: HTMLElement) => {
    const created = createEditor(parent, schema)
    setEditor(created)
    return created.destroy
  }
  return <CodeHost load={load} fill={fill} />
}

/** The differences between the active scenario and the edited text. */
export function Changes({ original, changed }: { original: string; changed: string }) {
  if (original === changed) return <p class="empty">The text in the editor is the active scenario.</p>
  return (
    <CodeHost
      key={`${original}\n${changed}`}
      load={() => import('./editor.ts')}
      fill={({ showChanges }, parent) => showChanges(parent, original, changed)}
    />
  )
}

interface HostProps<Code> {
  readonly load: () => Promise<Code>
  /** Fills the element; returns a function that empties it. */
  readonly fill: (code: Code, parent: HTMLElement) => () => void
}

/** An element that is filled as soon as the code of the editor is loaded. */
function CodeHost<Code extends object>({ load, fill }: HostProps<Code>) {
  const host = useRef<HTMLDivElement>(null)
  const code = useLoaded(load, [])
  const isLoading = code === undefined
  useEffect(() => code && fill(code, host.current!), [code])
  return (
    <div class="code-host" aria-busy={isLoading}>
      {isLoading && <p class="empty">Loading the editor.</p>}
      {/* Its keys are not shortcuts of the page. */}
      <div ref={host} class="code" onKeyDown={(event) => event.stopPropagation()} />
    </div>
  )
}
