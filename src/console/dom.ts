/** Elements of the page: found by id, made with text only, so that nothing of a call can become a part of the page. */

type Child = Node | string

/** Makes an element; children that are texts stay texts. */
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

/** An element of page.html. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`page.html has no ${kind.name} with the id '${id}'.`)
  return found
}

// Nobody chooses from more, and each key of a load test would be one.
const MAX_OPTIONS = 200

/** Gives a list of choices the values that it lacks, up to a number; the chosen one stays. */
export function addOptions(list: HTMLSelectElement | HTMLDataListElement, values: Iterable<string>): void {
  const known = new Set(Array.from(list.options, ({ value }) => value))
  for (const value of values) {
    if (value === '' || known.has(value) || known.size >= MAX_OPTIONS) continue
    known.add(value)
    const after = Array.from(list.options).find((one) => one.value !== '' && one.value > value)
    list.insertBefore(element('option', { value }, value), after ?? null)
  }
}

/** Says what was done, or why it could not be: to eyes and to screen readers. */
export function say(text: string, isProblem = false): void {
  const message = byId('message', HTMLElement)
  message.textContent = text
  message.classList.toggle('bad', isProblem)
}
