/** The same handlers through Express and @mswjs/http-middleware: the way to serve handlers of msw 2 without a server of one's own. */
import { createMiddleware } from '@mswjs/http-middleware'
import express from 'express'
import { createMock } from 'llm-api-mock'

const app = express()
const server = app.listen(0, '127.0.0.1', () => {
  const baseUrl = `http://127.0.0.1:${server.address().port}/v1`
  app.use(createMiddleware(...createMock('default', { baseURL: baseUrl }).handlers))
  console.log(baseUrl)
})
