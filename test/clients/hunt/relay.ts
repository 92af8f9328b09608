/** Passes streams on to a browser. The bug: when the service breaks off, the browser gets a regular end. */
import type { AddressInfo } from 'node:net'
import express from 'express'
import type { HuntedApp } from './hunted-app.ts'

export const relay: HuntedApp = {
  name: 'relay',
  client: 'fetch, behind Express',
  bug: 'a broken stream ends like a whole one',
  scenario: { replies: [{ say: 'one two three four' }] },
  async use({ baseURL, key }, variant) {
    const app = express()
    app.get('/ask', async (_, answer) => {
      try {
        const upstream = await fetch(`${baseURL}/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          body: JSON.stringify({
            model: 'gpt-4o',
            stream: true,
            messages: [{ role: 'user', content: 'Count to four' }],
          }),
          signal: AbortSignal.timeout(30_000),
        })
        answer.status(upstream.status).type('text/event-stream')
        let end = ''
        for await (const bytes of upstream.body!.pipeThrough(new TextDecoderStream())) {
          answer.write(bytes)
          end = `${end}${bytes}`.slice(-20)
        }
        if (variant === 'fixed' && upstream.ok && !end.includes('[DONE]')) answer.destroy()
        else answer.end()
      } catch {
        if (variant === 'buggy') answer.end()
        else if (answer.headersSent) answer.destroy()
        else answer.status(502).end()
      }
    })
    const server = app.listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    try {
      const { port } = server.address() as AddressInfo
      const shown = await fetch(`http://127.0.0.1:${port}/ask`).then(
        async (answer) => (answer.ok ? await answer.text().catch(() => undefined) : undefined),
        () => undefined,
      )
      // The browser takes a stream that ends without an error for whole.
      if (shown !== undefined && !shown.includes('[DONE]')) throw new Error('Half a stream is shown as whole')
    } finally {
      server.closeAllConnections()
      server.close()
    }
  },
  size: 1,
  failsUnder: ['broken-connection', 'cut', 'early-end', 'hang', 'slow'],
}
