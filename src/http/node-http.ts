/**
 * Node's HTTP, without an import of it: that reads each export of the module, and one of node:http loads a whole client
 * in Node 22 and later, for 25 ms and 10 MB.
 */
export const { createServer, request } = process.getBuiltinModule('node:http')
