/** What tests of workers have in common: their program is TypeScript, which each process has to be told how to run. */
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href

// Workers are started by the flags of their owner.
if (!process.execArgv.includes(TSX)) process.execArgv.push('--import', TSX)

export const WORKERS = 2
