/** The primary's control socket: workers forward requests for the control plane to it. Only the same user can open it. */
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
  // mkdtemp creates a folder that only its owner can open.
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
  // Closed by hand: Node closes only connections whose requests it is still reading.
  const connections = new Set<Socket>()
  server.on('connection', (socket) => {
    connections.add(socket)
    socket.once('close', () => connections.delete(socket))
  })
  // A second Ctrl-C exits without calling close().
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
