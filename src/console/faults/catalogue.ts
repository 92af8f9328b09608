/** The faults that the mock knows, loaded once per connection. */
import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { act, api, connections } from '../app/store.ts'
import type { CatalogueFault } from './fault-groups.ts'

interface Catalogue {
  readonly faults: readonly CatalogueFault[]
  /** The endpoints that a fault can be confined to. */
  readonly endpoints: readonly string[]
}

/** Empty until `useCatalogue` has loaded it. */
export const catalogue = signal<Catalogue>({ faults: [], endpoints: [] })

export function useCatalogue(): Catalogue {
  useEffect(
    () =>
      act(async () => {
        catalogue.value = await api.read<Catalogue>('/faults/catalogue')
      }),
    [connections.value],
  )
  return catalogue.value
}
