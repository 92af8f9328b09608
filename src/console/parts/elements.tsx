/** Small elements that several views use. */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useKeys } from '../app/keys.ts'

/** A button that submits no form. */
export const Button = ({ text, ...attributes }: JSX.IntrinsicElements['button'] & { text: string }) => (
  <button type="button" {...attributes}>
    {text}
  </button>
)

/** A text field without the browser's suggestions and spelling. */
export const TextField = (attributes: JSX.IntrinsicElements['input']) => (
  <input autocomplete="off" spellcheck={false} {...attributes} />
)

interface CheckboxProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
}

export const Checkbox = ({ label, checked, onChange }: CheckboxProps) => (
  <label>
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />{' '}
    {label}
  </label>
)

interface SearchProps extends Readonly<Partial<Record<'class' | 'title' | 'placeholder' | 'aria-label', string>>> {
  readonly value: string
  readonly onInput: (value: string) => void
}

/** A field that filters a list. The key / leads to it. */
export function SearchField({ onInput, ...attributes }: SearchProps) {
  const field = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => field.current?.focus() })
  return (
    <TextField
      type="search"
      {...attributes}
      ref={field}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  )
}

/** A part of a view under a heading. */
export function Section({ title, children }: { title: ComponentChildren; children: ComponentChildren }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id}>{title}</h3>
      {children}
    </section>
  )
}

interface TableHeadProps {
  readonly columns: readonly string[]
  /** The columns of numbers, which are aligned right. */
  readonly numbers?: readonly string[]
  /** More cells at the end. */
  readonly children?: ComponentChildren
}

/** The head of a table. */
export const TableHead = ({ columns, numbers = [], children }: TableHeadProps) => (
  <thead>
    <tr>
      {columns.map((title, index) => (
        <th scope="col" key={index} class={numbers.includes(title) ? 'number' : ''}>
          {title}
        </th>
      ))}
      {children}
    </tr>
  </thead>
)

/** A text in which words between backticks are code. */
export const CodeText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
)
