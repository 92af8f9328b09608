/**
 * node:http without an import, which would read every export: one of them loads a whole client in Node 22 and later, for
 * 25 ms and 10 MB.
 */
export const { createServer, request, maxHeaderSize } = process.getBuiltinModule('node:http')
