#!/usr/bin/env node
/** Starts the program `api-mock`. */

// From Node 22 on, what is compiled is kept in the folder for temporary files: a start, and the first use of a tokenizer,
// take less from the second time on. It is for what is loaded from here on, so nothing is imported before.
const modules: { enableCompileCache?(): void } & object = process.getBuiltinModule('node:module')
modules.enableCompileCache?.()

const { runProgram } = await import('./program.ts')
await runProgram()

export {}
