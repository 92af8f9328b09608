/** A JSON value with colours, whose objects and arrays fold. Long texts and lists show their beginning first. */
import { useState } from 'preact/hooks'
import { Button } from './elements.tsx'
import { formatCount } from './format.ts'

/** Items of a list and characters of a text that are shown at first. */
const MAX_ITEMS = 100
const MAX_LENGTH = 2000
/** Objects below this depth, or with more items than this, start folded. */
const OPEN_DEPTH = 4
const OPEN_ITEMS = 40

export const JsonView = ({ value }: { value: unknown }) => (
  <div class="json">
    <JsonNode value={value} depth={0} isLast />
  </div>
)

interface NodeProps {
  /** The key of a field; undefined for an item of an array, and for the whole value. */
  readonly name?: string
  readonly value: unknown
  readonly depth: number
  /** False if a comma follows. */
  readonly isLast: boolean
}

/** A value in a line, or in lines that fold. Folded items are not in the document: it may be a body of megabytes. */
function JsonNode({ name, value, depth, isLast }: NodeProps) {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const [isOpen, setOpen] = useState(depth < OPEN_DEPTH && entries.length <= OPEN_ITEMS)
  const [limit, setLimit] = useState(MAX_ITEMS)
  const label = name === undefined ? null : <span class="json-name">{JSON.stringify(name)}: </span>
  const comma = isLast ? '' : ','
  if (entries.length === 0) {
    return (
      <div class="json-line">
        {label}
        <Leaf value={value} />
        {comma}
      </div>
    )
  }
  const isList = Array.isArray(value)
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {label}
        {open}
        {!isOpen && (
          <span class="json-folded">
            {` ${formatCount(entries.length, isList ? 'item' : 'field')} ${close}${comma}`}
          </span>
        )}
      </summary>
      {isOpen && (
        <>
          <div class="json-items">
            {entries.slice(0, limit).map(([key, item], index) => (
              <JsonNode
                key={key}
                {...(!isList && { name: key })}
                value={item}
                depth={depth + 1}
                isLast={index === entries.length - 1}
              />
            ))}
            {entries.length > limit && (
              <Button
                text={`Show more: ${entries.length - limit} left`}
                onClick={() => setLimit(limit + 10 * MAX_ITEMS)}
              />
            )}
          </div>
          {close}
          {comma}
        </>
      )}
    </details>
  )
}

/** A value without items. */
function Leaf({ value }: { value: unknown }) {
  const [isWhole, setWhole] = useState(false)
  const kind = typeof value === 'string' ? 'text' : typeof value === 'number' ? 'number' : 'word'
  const isComplete = isWhole || typeof value !== 'string' || value.length <= MAX_LENGTH
  return (
    <>
      <span class={`json-${kind}`}>
        {JSON.stringify(isComplete ? value : value.slice(0, MAX_LENGTH)) ?? 'undefined'}
      </span>
      {!isComplete && (
        <Button text={`Show all ${formatCount(value.length, 'character')}`} onClick={() => setWhole(true)} />
      )}
    </>
  )
}
