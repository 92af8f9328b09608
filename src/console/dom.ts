/** Finds and creates elements. Children are text only, so that content of calls cannot become markup. */

type Child = Node | string

/** Creates an element; string children become text nodes. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

/** Finds an element of page.html. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`page.html has no ${kind.name} with the id '${id}'.`)
  return found
}

// Enough to choose from; a load test may have thousands of keys.
const MAX_OPTIONS = 200

/** Adds missing values to a list, in order and up to a limit; the selection stays. */
export function addOptions(list: HTMLSelectElement | HTMLDataListElement, values: Iterable<string>): void {
  const known = new Set(Array.from(list.options, ({ value }) => value))
  for (const value of values) {
    if (value === '' || known.has(value) || known.size >= MAX_OPTIONS) continue
    known.add(value)
    const after = Array.from(list.options).find((one) => one.value !== '' && one.value > value)
    list.insertBefore(element('option', { value }, value), after ?? null)
  }
}

/** Shows a message on the page and to screen readers. */
export function say(text: string, isProblem = false): void {
  const message = byId('message', HTMLElement)
  message.textContent = text
  message.classList.toggle('bad', isProblem)
}
