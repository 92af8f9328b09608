/** A Chromium that talks to this machine only. */
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
]

/** @throws when there is none; the message says what to do. */
export async function launchChromium(): Promise<Browser> {
  if (!existsSync(CHROMIUM)) throw new Error(`There is no ${CHROMIUM}. Install chromium, or set CHROMIUM to its path.`)
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS })
}
