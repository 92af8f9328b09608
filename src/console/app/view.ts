/** A view of the page. */
import type { ComponentType } from 'preact'

export interface View {
  /** The first part of its address below `/_mock/`. The server lists these too: src/server/console-routes.ts. */
  readonly name: string
  readonly title: string
  /** The keyboard shortcut. */
  readonly key: string
  readonly component: ComponentType
}
