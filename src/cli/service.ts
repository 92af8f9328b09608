/** A mock that is up: what `start` and `run` have in common. */

import type { JournalSettings } from '../core/journal/journal.ts'
import type { Problem } from '../core/scenario/diagnostics/problem.ts'
import { Mock } from '../engine/mock.ts'
import { isLoopback } from '../http/loopback.ts'
import { compileLoaded } from '../scenario-files/compile-loaded.ts'
import { loadScenario } from '../scenario-files/load-scenario.ts'
import { listen, type MockServer } from '../server/listen.ts'
import type { Settings } from './args/options.ts'
import type { ReloadEvent } from './output/reload-log.ts'

/** A running mock. */
export interface Service {
  readonly mock: Mock
  readonly server: MockServer
  /** Scheme, host and port; the control plane is below it. */
  readonly origin: string
  /** How many processes take the calls. */
  readonly workers: number
  /** What the control plane asks for; undefined where it asks for none. */
  readonly token: string | undefined
  /** Whether the token was made here, so that nobody knows it until it is shown. */
  readonly isTokenNew: boolean
  /** What in the scenario can do nothing. */
  readonly warnings: readonly Problem[]
}

/**
 * Loads the scenario and listens.
 * @throws when the scenario, the handlers or the address are not usable; the message says what to do.
 */
export async function startService(settings: Settings, journal: JournalSettings = {}): Promise<Service> {
  const { port, host, workers, handlers } = settings
  if (settings.watch) (await import('./watch-scenario.ts')).checkWatchable(settings.scenario)
  const { name, source, warnings } = await loadScenario(settings.scenario)
  const mock = new Mock(await compileLoaded(source, name, settings.seed), { speed: settings.speed, journal })
  if (handlers !== undefined) await checkHandlers(handlers)

  const isTokenNew = settings.token === undefined && !isLoopback(host)
  const token = isTokenNew ? await newToken() : settings.token
  const server = await listen(mock, {
    port,
    host,
    workers,
    ...(token !== undefined && { token }),
    ...(handlers !== undefined && { handlers }),
  })
  return { mock, server, origin: new URL(server.url).origin, workers, token, isTokenNew, warnings }
}

/** Not seeded, on purpose: a token that anybody can work out from the seed guards nothing. */
async function newToken(): Promise<string> {
  const { randomBytes } = await import('node:crypto')
  return randomBytes(16).toString('hex')
}

/** The server loads handlers at the first call for them; a mistake in them is better told at the start. */
async function checkHandlers(file: string): Promise<void> {
  const { userHandlers } = await import('../control-plane/user-handlers.ts')
  try {
    await userHandlers(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' || !message.includes("'msw'")) throw error
    throw new Error('--handlers needs the package msw, which is not installed here. Run: npm install -D msw')
  }
}

/** Watches the scenario file, where that is asked for; closed, it tells no more. */
export async function watched(
  mock: Mock,
  settings: Settings,
  tell: (news: ReloadEvent) => void,
): Promise<{ close(): void } | undefined> {
  if (!settings.watch) return undefined
  // The checks come with it, which a start with a built-in scenario does without.
  return (await import('./watch-scenario.ts')).watchScenario(mock, settings, tell)
}
