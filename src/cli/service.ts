/**
 * A running mock, its log and its watched file: what `start` and `run` have in common.
 *
 *     const service = await startService(settings)
 *     const watch = await logAndWatch(service, settings, { say: print, paint })
 */
import { compileScenario } from '../core/scenario/compile/compile.ts'
import { compilePattern } from '../core/scenario/compile/pattern.ts'
import { engineOf, Mock } from '../engine/index.ts'
import { isFile, loadScenario } from '../engine/node.ts'
import { isLoopback } from '../http/index.ts'
import { listen } from '../server/index.ts'
import { jsonLine, type Paint } from '../terminal/text.ts'
import type { ServiceSettings } from './args/command-options.ts'
import { callEvent, callLine, changeText, eventLine, reloadText } from './output/log-entries.ts'

/** A running mock. */
export type Service = Awaited<ReturnType<typeof startService>>

/**
 * Loads the scenario and listens.
 * @throws when the scenario, the handlers or the address cannot be used; the message says what to do.
 */
export async function startService(settings: ServiceSettings) {
  const { port, host, handlers } = settings
  const { name, source, warnings } = await loadScenario(settings.scenario)
  if (settings.watch) (await import('./watch-scenario.ts')).checkWatchable(settings.scenario)
  const mock = new Mock(compileScenario(source, { name, seed: settings.seed, compilePattern }), {
    speed: settings.speed,
    bodyLimit: settings['max-body-size'],
    answerLimit: settings['answer-limit'],
    journal: { entries: settings.journal, bytes: settings['journal-bytes'] },
  })
  if (settings['shared-limits'] !== undefined) engineOf(mock).shareLimits(settings['shared-limits'])
  if (handlers !== undefined) await checkHandlers(handlers)

  // The token of the control plane: that of the settings, or a new one, or none for a server that only this machine reaches.
  let token = settings.token || undefined
  const sessionTokens = settings['session-token']
  const isTokenNew = token === undefined && (!isLoopback(host) || sessionTokens.length > 0)
  // Not drawn from the seed: anyone who knows the seed could compute it.
  if (isTokenNew) token = (await import('node:crypto')).randomBytes(16).toString('hex')
  const server = await listen(mock, {
    port,
    host,
    unreadLimit: settings['unread-limit'],
    basePath: settings['base-path'],
    metricsNames: settings['metrics-names'],
    ...(token !== undefined && { token }),
    sessionTokens: Object.fromEntries(sessionTokens),
    ...(handlers !== undefined && { handlers }),
    ...(isFile(settings.scenario) && { scenarioFile: settings.scenario }),
  })
  // A new token has to be shown.
  return { mock, server, origin: new URL(server.url).origin, token, isTokenNew, warnings }
}

/** Loads the handlers, which the server does on first use: a mistake in them is reported at the start. */
async function checkHandlers(file: string): Promise<void> {
  const { userHandlers } = await import('../server/user-handlers.ts')
  try {
    await userHandlers(file)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const [, name] = /'(msw|@mswjs\/http-middleware)'/.exec(message) ?? []
    if (code !== 'ERR_MODULE_NOT_FOUND' || name === undefined) throw error
    throw new Error(`--handlers needs the package ${name}, which is not installed. Run: npm install -D ${name}`)
  }
}

/**
 * Logs calls, changes over the control plane and the store of shared limits. With `--watch`, also applies the scenario file
 * whenever it changes, until the returned watcher is closed.
 * @param output.prefix the start of each line of text that is not about a call. Default: none.
 */
export async function logAndWatch(
  { mock }: Service,
  settings: ServiceSettings,
  { say, paint, prefix = '' }: { say(line: string): void; paint: Paint; prefix?: string },
): Promise<{ close(): void } | undefined> {
  const { log, watch } = settings
  const isJson = log === 'json'
  if (log !== 'none') {
    engineOf(mock).changes.add((change) => say(isJson ? eventLine('change', change) : prefix + changeText(change)))
    mock.onExchange((entry) => say(isJson ? jsonLine(callEvent(entry)) : callLine(entry, paint)))
  }
  if (isJson) {
    engineOf(mock).storedLimits.report = (message, isUp) =>
      say(eventLine(isUp ? 'store-up' : 'store-down', { message }))
  }
  if (!watch) return undefined
  // Loaded late: it imports the scenario checks, which a built-in scenario does not need.
  const { watchScenario } = await import('./watch-scenario.ts')
  return watchScenario(mock, settings, (reload) => {
    const { event, ...fields } = reload
    say(isJson ? eventLine(`scenario-${event}`, fields) : prefix + reloadText(reload))
  })
}
