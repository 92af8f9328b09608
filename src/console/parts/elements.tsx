/** The components that several views use: buttons, fields, sections, tables, badges, menus and tabs. */
import type { ComponentChildren, JSX } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { onKeys, useKeys } from '../app/keys.ts'
import { statusKind } from './format.ts'

/** A button that submits no form, unless its type says so. */
export const Button = ({ text, ...attributes }: JSX.IntrinsicElements['button'] & { text: ComponentChildren }) => (
  <button type="button" {...attributes}>
    {text}
  </button>
)

type ButtonAttributes = Parameters<typeof Button>[0]

/** A button with a sign in place of a text. Its label is for the pointer and for screen readers. */
export const IconButton = ({ label, ...attributes }: ButtonAttributes & { readonly label: string }) => (
  <Button class="plain" aria-label={label} title={label} {...attributes} />
)

/** A text field without the browser's suggestions and spelling. */
export const TextField = (attributes: JSX.IntrinsicElements['input']) => (
  <input autocomplete="off" spellcheck={false} {...attributes} />
)

/** A field that filters a list. The key / leads to it. */
export function SearchField(attributes: Omit<JSX.IntrinsicElements['input'], 'ref' | 'role' | 'type' | 'list'>) {
  const field = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => field.current?.focus() })
  return <TextField type="search" {...attributes} ref={field} />
}

type SectionProps = Omit<JSX.IntrinsicElements['section'], 'title'> & {
  readonly title: ComponentChildren
  /** Default: h3. */
  readonly level?: 'h2' | 'h3'
  /** True if only screen readers have the title. */
  readonly isUntitled?: boolean
}

/** A part of a view under a heading. */
export function Section({ title, level: Heading = 'h3', isUntitled = false, children, ...attributes }: SectionProps) {
  const id = useId()
  return (
    <section aria-labelledby={id} {...attributes}>
      <Heading id={id} class={isUntitled ? 'unseen' : ''}>
        {title}
      </Heading>
      {children}
    </section>
  )
}

/** Texts as paragraphs that look alike. */
export const Paragraphs = ({ texts, ...attributes }: JSX.IntrinsicElements['p'] & { texts: readonly string[] }) => (
  <>
    {texts.map((text) => (
      <p key={text} {...attributes}>
        {text}
      </p>
    ))}
  </>
)

interface SelectProps extends Readonly<Partial<Record<'id' | 'name' | 'class' | 'value' | 'aria-label', string>>> {
  readonly options: readonly string[]
  /** The label of an empty choice before the others. Default: there is none. */
  readonly empty?: string
  readonly onSelect?: (value: string) => void
}

/** A list of texts to choose from. */
export const Select = ({ options, empty, onSelect, ...attributes }: SelectProps) => (
  <select {...attributes} onChange={({ currentTarget }) => onSelect?.(currentTarget.value)}>
    {empty !== undefined && <option value="">{empty}</option>}
    {options.map((option) => (
      <option key={option}>{option}</option>
    ))}
  </select>
)

interface TableProps {
  readonly class?: string
  readonly title?: string
  /** Their titles. Default: the table has no head. */
  readonly columns?: readonly ComponentChildren[]
  /** The indexes of the columns of numbers, which are aligned right. */
  readonly numbers?: readonly number[]
  readonly rows: readonly (readonly ComponentChildren[])[]
  /** The classes of the rows. Default: they have none. */
  readonly rowClasses?: readonly string[]
}

/** A table. The first cell of a row is its heading. */
export function Table({ title, columns, numbers = [], rows, rowClasses, ...attributes }: TableProps) {
  const classOf = (column: number): string => (numbers.includes(column) ? 'number' : '')
  return (
    <table {...attributes}>
      {title !== undefined && <caption class="unseen">{title}</caption>}
      {columns !== undefined && (
        <thead>
          <tr>
            {columns.map((column, index) => (
              <th scope="col" key={index} class={classOf(index)}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {rows.map(([heading, ...cells], row) => (
          <tr key={row} class={rowClasses?.[row] ?? ''}>
            <th scope="row" class={classOf(0)}>
              {heading}
            </th>
            {cells.map((cell, index) => (
              <td key={index} class={classOf(index + 1)}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** A status of HTTP as a coloured badge; 0 stands for no answer. */
export const StatusBadge = ({ status }: { status: number }) => (
  <span class={`status ${statusKind(status)}`}>{status === 0 ? 'none' : status}</span>
)

/** A text in which words between backticks are code. */
export const CodeText = ({ text }: { text: string }) => (
  <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>
)

export interface MenuItem {
  readonly label: string
  /** The keyboard shortcut, if there is one. */
  readonly key?: string | undefined
  readonly run: () => void
}

/** A button that opens a list of actions. Escape, a click elsewhere and each action close it. */
export function Menu({ label, items }: { label: string; items: readonly MenuItem[] }) {
  const id = useId()
  return (
    <>
      <Button popovertarget={id} text={label} />
      <ul class="menu" id={id} popover>
        {items.map(({ label: text, key, run }) => (
          <li key={text}>
            <Button
              popovertarget={id}
              popovertargetaction="hide"
              text={[text, key !== undefined && <kbd>{key}</kbd>]}
              onClick={run}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly name: string; readonly title: string }[]
  readonly shown: string
  readonly onShow: (name: string) => void
  /** The panel of the shown tab. */
  readonly children: ComponentChildren
}

/** A list of tabs. The keys [ and ] go from one to the next. */
export function Tabs({ label, tabs, shown, onShow, children }: TabsProps) {
  const id = useId()
  /** The name of the tab beside the shown one. The last and the first are beside each other. */
  const nameBeside = (by: 1 | -1): string =>
    tabs.at((tabs.findIndex(({ name }) => name === shown) + by) % tabs.length)!.name
  const showAndFocus = (name: string): void => {
    onShow(name)
    document.getElementById(`${id}-${name}`)?.focus()
  }
  useKeys({ '[': () => onShow(nameBeside(-1)), ']': () => onShow(nameBeside(1)) })
  return (
    <>
      <div
        role="tablist"
        aria-label={label}
        class="tabs"
        onKeyDown={onKeys({
          ArrowRight: () => showAndFocus(nameBeside(1)),
          ArrowLeft: () => showAndFocus(nameBeside(-1)),
        })}
      >
        {tabs.map(({ name, title }) => (
          <button
            type="button"
            role="tab"
            key={name}
            id={`${id}-${name}`}
            aria-selected={name === shown}
            aria-controls={`${id}-panel`}
            tabIndex={name === shown ? 0 : -1}
            onClick={() => onShow(name)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${shown}`} class="tab-panel" tabIndex={0}>
        {children}
      </div>
    </>
  )
}
