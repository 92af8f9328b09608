/** An app with one realistic bug, and its fixed twin. */
import type { FaultClassName } from '../../../src/hunt.ts'
import type { Mock, ScenarioInput } from '../../../src/index.ts'

export type Variant = 'buggy' | 'fixed'

export interface HuntedApp {
  readonly name: string
  readonly client: string
  readonly bug: string
  /** What the model answers. */
  readonly scenario: ScenarioInput
  /** Uses the app once; throws when what it did or showed is wrong. */
  readonly use: (mock: Pick<Mock, 'baseURL'> & { readonly key: string }, variant: Variant) => Promise<void>
  /** How many faults the bug needs. */
  readonly size: number
  /** Classes of faults that it fails under. Each finding has one of them, and each of them has a finding. */
  readonly failsUnder: readonly FaultClassName[]
}
