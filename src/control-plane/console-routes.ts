/** The page at `/_mock/`: its files, which hold no data and so need no token, and the routes that it reads from. */
import { fileURLToPath } from 'node:url'
import express, { type RequestHandler } from 'express'
import { faults } from '../core/faults/catalogue.ts'
import { detailsOf } from '../core/journal/call-details.ts'
import { MODEL_ENDPOINTS } from '../core/request/endpoints.ts'
import { builtInScenarios } from '../core/scenario/built-in.ts'
import type { Engine } from '../engine/engine.ts'
import { allowOnly, ControlError } from './control-error.ts'
import { EventStream } from './event-stream.ts'

const FOLDER = fileURLToPath(new URL('../console/', import.meta.url))

// Everything comes from this server, and text from calls can never become a part of the page.
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

/** The files of the page. Programs that ask for no HTML get past them. */
export function pageFiles(): express.Router {
  const router = express.Router()
  router.get('/', (request, response, next) => {
    if (request.accepts(['json', 'html']) !== 'html') return next()
    response.set({ ...headers, 'content-security-policy': POLICY })
    response.sendFile('page.html', { root: FOLDER, cacheControl: false })
  })
  const setHeaders = (response: express.Response): void => void response.set(headers)
  router.use('/page', express.static(FOLDER, { index: false, redirect: false, cacheControl: false, setHeaders }))
  return router
}

const headers = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** What the page reads beside the rest of the control plane; streams end when `closing` aborts. */
export function consoleRoutes(engine: Engine, closing: AbortSignal): express.Router {
  const router = express.Router()
  const stream = new EventStream(engine, closing)

  const get = (path: string, handle: RequestHandler<Record<string, string>>): void => {
    router.route(path).get(handle).all(allowOnly('GET'))
  }
  get('/events', (_, response) => {
    if (closing.aborted) throw new ControlError(503, 'The server is closing.')
    if (stream.isFull) throw new ControlError(503, 'There are too many watchers already. Close a page that watches.')
    stream.watch(response)
  })
  get('/journal/:number', ({ params: { number = '' } }, response) => {
    const entry = /^[1-9]\d{0,14}$/.test(number) ? engine.entry(Number(number)) : undefined
    if (entry === undefined) {
      const message = `The journal has no call '${number.slice(0, 20)}': it holds the last ones, by their numbers.`
      throw new ControlError(404, message)
    }
    response.json(detailsOf(entry))
  })
  get('/limits', (_, response) => {
    response.json({ keys: engine.limitUsage })
  })
  get('/faults/catalogue', (_, response) => {
    const known = faults.map(({ name, kind, summary, options }) => ({ name, kind, summary, options }))
    response.json({ faults: known, endpoints: MODEL_ENDPOINTS })
  })
  get('/scenarios', (_, response) => {
    const all = Object.entries(builtInScenarios)
    response.json({ scenarios: all.map(([name, { description }]) => ({ name, description })) })
  })
  return router
}
