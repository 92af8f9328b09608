/** The servers that are compared: how each is started, and what it needs. */
import type { ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { findPackage } from './packages.ts'
import { startOnServerCore, stop } from './processes.ts'
import { STREAM_EVENTS, STREAM_TEXT } from './workloads.ts'

const root = resolve(import.meta.dirname, '../..')
const script = (name: string): string => resolve(import.meta.dirname, `contenders/${name}.mjs`)

export const PROGRAM = resolve(root, 'dist/cli/main.js')
export const BARE_SCRIPT = script('bare')
export const IN_PROCESS_SCRIPT = script('in-process')
export const HUNT_SCRIPT = script('hunt')
export const FIRST_CALLS_SCRIPT = script('first-calls')
export const SIX_CALLS_FOLDER = resolve(import.meta.dirname, 'contenders/six-calls')

/** What Node is started with; why it can't be, when something is missing. */
type Launch = { readonly args: readonly string[]; readonly label: string } | { readonly missing: string }

/** In the order in which they take turns. */
export const contenders: Readonly<Record<string, () => Launch>> = {
  bare: () => ({ args: [BARE_SCRIPT], label: 'bare node:http' }),
  'bare-head': () => ({ args: [BARE_SCRIPT, 'write-head'], label: 'bare node:http with writeHead' }),
  mock: () => ({ args: [PROGRAM, '--port', '0', '--log', 'none'], label: 'llm-api-mock' }),
  'http-middleware': () => ({ args: [script('http-middleware')], label: 'Express + @mswjs/http-middleware' }),
  aimock: () => {
    const found = findPackage('@copilotkit/aimock')
    if ('missing' in found) return found
    const args = [script('aimock'), found.entry, STREAM_TEXT, String(STREAM_EVENTS)]
    return { args, label: `@copilotkit/aimock ${found.version}` }
  },
}

/** A contender that listens. */
export interface Server {
  readonly name: string
  readonly label: string
  readonly url: string
  readonly pid: number
  readonly process: ChildProcess
  /** At once, unless the signal leaves it to the program. */
  stop(signal?: NodeJS.Signals): Promise<void>
}

/** Starts those of the names that can be; `skipped` is told of the others. */
export async function startServers(
  names: readonly string[],
  skipped: (name: string, reason: string) => void,
): Promise<readonly Server[]> {
  const servers: Server[] = []
  for (const name of names) {
    const launch = contenders[name]!()
    if ('missing' in launch) {
      skipped(name, launch.missing)
      continue
    }
    try {
      servers.push(await startServer(name, launch.label, launch.args))
    } catch (error) {
      if (name === 'mock') throw error
      skipped(name, (error as Error).message)
    }
  }
  return servers
}

/** Starts Node with these arguments on the server's core; resolves when it has printed its base URL. */
export async function startServer(
  name: string,
  label: string,
  args: readonly string[],
  hasChannel = false,
): Promise<Server> {
  const child = startOnServerCore(process.execPath, args, hasChannel)
  const url = await printedUrl(child, name)
  return { name, label, url, pid: child.pid!, process: child, stop: (signal) => stop(child, signal) }
}

/** The base URL that a server prints when it listens. */
export function printedUrl(child: ChildProcess, name: string): Promise<string> {
  return new Promise((done, fail) => {
    let printed = ''
    child.stdout!.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      const [url] = /http:\/\/127\.0\.0\.1:\d+\/v1/.exec(printed) ?? []
      if (url !== undefined) done(url)
    })
    child.once('error', fail)
    child.once('exit', (code, signal) => fail(new Error(`${name} ended with ${code ?? signal} before it listened.`)))
  })
}
