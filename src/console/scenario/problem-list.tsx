/** The problems and warnings of the edited text; each leads to its place. */
import type { JSX } from 'preact'
import { formatCount } from '../parts/format.ts'
import { goTo } from './code-editor.tsx'
import type { PlacedProblem } from './problem-lines.ts'
import { checked } from './scenario-store.ts'

export function ProblemList(): JSX.Element {
  const { problems, warnings } = checked.value
  const counts = [
    ...(problems.length === 0 ? [] : [formatCount(problems.length, 'problem')]),
    ...(warnings.length === 0 ? [] : [formatCount(warnings.length, 'warning')]),
  ]
  return (
    <div class="problems">
      <p role="status" class={counts.length === 0 ? 'hint' : ''}>
        {counts.length === 0 ? 'No problems.' : `${counts.join(', ')}:`}
      </p>
      {counts.length > 0 && (
        <ul>
          {problems.map((problem, index) => (
            <Item key={index} problem={problem} kind="bad" />
          ))}
          {warnings.map((problem, index) => (
            <Item key={index} problem={problem} kind="warn" />
          ))}
        </ul>
      )}
    </div>
  )
}

function Item({ problem, kind }: { problem: PlacedProblem; kind: 'bad' | 'warn' }): JSX.Element {
  const { line, column, message } = problem
  return (
    <li>
      <button type="button" aria-label={`Go to ${line}:${column}`} onClick={() => goTo(problem)}>
        {line}:{column}
      </button>
      <span class={`badge ${kind}`}>{kind === 'bad' ? 'problem' : 'warning'}</span>
      <span>{message}</span>
    </li>
  )
}
