/** The owner's back door: a socket that only its own user can reach, where workers pass on what is no call. */
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHttpServer, type Handler } from '../http/http-server.ts'

export interface ControlSocket {
  /** The path of a Unix socket, or on Windows the name of a pipe. */
  readonly path: string
  close(): Promise<void>
}

export async function openControlSocket(handle: Handler): Promise<ControlSocket> {
  // Only its owner may look into a folder made like this.
  const folder = mkdtempSync(join(tmpdir(), 'llm-api-mock-'))
  const path = process.platform === 'win32' ? `\\\\.\\pipe\\${folder}` : join(folder, 'socket')
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  const server = createHttpServer(handle)
  try {
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  } catch (error) {
    remove()
    throw error
  }
  // By hand: what Node closes are the connections whose requests it reads, and some of these have been left by then.
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  // A second Ctrl-C ends the program without closing anything.
  process.once('exit', remove)
  return {
    path,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of connections) socket.destroy()
      await closed
      process.off('exit', remove)
      remove()
    },
  }
}
