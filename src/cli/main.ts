#!/usr/bin/env node
/** Starts the program `api-mock`. */

// From Node 22 on, compiled code is cached between runs. The cache covers what is loaded after this call, so there are
// no static imports.
const modules: { enableCompileCache?(): void } & object = process.getBuiltinModule('node:module')
modules.enableCompileCache?.()

const { runProgram } = await import('./program.ts')
await runProgram()

export {}
