/** A failure in any step of a call that is prepared in slices harms no later call. */
import { test } from 'vitest'
import { checkEveryStep } from './harm.ts'

test.each(['over HTTP', 'in process'] as const)(
  'every step of a long chat %s may fail once, and all later calls are unharmed',
  (transport) => checkEveryStep('a long chat', transport),
)
