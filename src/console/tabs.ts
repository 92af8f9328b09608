/** Tabs by the ARIA pattern: arrow keys move between them, one panel is visible. */
import { byId } from './dom.ts'

export const TABS = ['call', 'scenario', 'limits'] as const
export type Tab = (typeof TABS)[number]

const tabOf = (name: Tab): HTMLButtonElement => byId(`tab-${name}`, HTMLButtonElement)

/** Activates the tabs; `shown` is called with the tab that becomes visible. Returns a function that selects a tab. */
export function activateTabs(shown: (tab: Tab) => void): (tab: Tab) => void {
  const show = (chosen: Tab): void => {
    for (const name of TABS) {
      const isChosen = name === chosen
      tabOf(name).setAttribute('aria-selected', String(isChosen))
      tabOf(name).tabIndex = isChosen ? 0 : -1
      byId(`panel-${name}`, HTMLElement).hidden = !isChosen
    }
    shown(chosen)
  }
  for (const [place, name] of TABS.entries()) {
    tabOf(name).addEventListener('click', () => show(name))
    tabOf(name).addEventListener('keydown', ({ key }) => {
      const by = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      if (by === 0) return
      const next = TABS[(place + by + TABS.length) % TABS.length]!
      show(next)
      tabOf(next).focus()
    })
  }
  show('call')
  return show
}
