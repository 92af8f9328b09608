/** The page at `/_mock/`: its files, which hold no data and so need no token, and the routes that only it reads. */
import { fileURLToPath } from 'node:url'
import express from 'express'
import { detailsOf } from '../core/journal/call-details.ts'
import { faults } from '../core/protocol/faults/fault-catalogue.ts'
import { MODEL_ENDPOINTS } from '../core/protocol/request/endpoints.ts'
import type { Engine } from '../engine/index.ts'
import { entryJson } from './entry-json.ts'
import { EventStream } from './events/event-stream.ts'
import { NowReader } from './events/now-status.ts'
import { ControlError, type RouteTable } from './route-table.ts'
import type { ScenarioFile } from './scenario-file.ts'
import type { FindScope } from './scope.ts'

const FOLDER = fileURLToPath(new URL('../console/', import.meta.url))

// All content comes from this server, and text from calls cannot become markup or script.
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'"

const HEADERS = {
  'cache-control': 'no-cache',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
}

/** The views of the page. Each has its own addresses, some of which are routes of the API too: src/console/mock-page.tsx. */
const VIEWS = ['calls', 'picture', 'faults', 'scenario', 'try', 'now', 'report']

/** Serves the files of the page, and the page itself at the addresses of its views to clients that prefer HTML. */
export function pageFiles(): express.Router {
  const router = express.Router()
  router.get(['/', ...VIEWS.flatMap((view) => [`/${view}`, `/${view}/*rest`])], (request, response, next) => {
    response.vary('accept')
    if (request.accepts(['json', 'html']) !== 'html') return next()
    response.set({ ...HEADERS, 'content-security-policy': CONTENT_SECURITY_POLICY })
    response.sendFile('page.html', { root: FOLDER, cacheControl: false })
  })
  const setHeaders = (response: express.Response): void => void response.set(HEADERS)
  router.use('/page', express.static(FOLDER, { index: false, redirect: false, cacheControl: false, setHeaders }))
  return router
}

/** The routes that only the page reads. Streams end when `closing` aborts. */
export function consoleRoutes(
  engine: Engine,
  closing: AbortSignal,
  file: ScenarioFile | undefined,
  scope: FindScope,
): RouteTable {
  const stream = new EventStream(engine, closing, undefined, file)
  return {
    '/events': {
      get: ({ method }, response) => {
        // Express answers HEAD by the route of GET.
        if (method === 'HEAD') return void response.type('text/event-stream').end()
        if (closing.aborted) throw new ControlError('The server is closing.', 503)
        const { view } = scope(response)
        if (stream.isFullFor(view.session))
          throw new ControlError('Too many pages follow the events. Close one of them.', 503)
        stream.watch(response, view)
      },
    },
    '/journal/:number': {
      get: ({ params: { number = '' } }, response) => {
        const { view } = scope(response)
        const entry = /^[1-9]\d{0,14}$/.test(number) ? view.call(Number(number))?.toJSON() : undefined
        if (entry !== undefined) return void response.type('json').send(entryJson(detailsOf(entry, engine.clock.speed)))
        throw new ControlError(
          `The journal has no call ${number.slice(0, 20)}. GET /_mock/journal lists its calls.`,
          404,
        )
      },
    },
    '/now': {
      get: (_, response) => void response.json(new NowReader(scope(response).view).read()),
    },
    '/limits': {
      get: (_, response) => void response.json({ keys: scope(response).view.limitUsage }),
    },
    '/faults/catalogue': {
      get: (_, response) => {
        const catalogue = faults.map(({ name, kind, summary, options }) => ({ name, kind, summary, options }))
        response.json({ faults: catalogue, endpoints: MODEL_ENDPOINTS })
      },
    },
    // After the catalogue, which is no id.
    '/faults/:id': {
      delete: ({ params: { id = '' } }, response) => {
        const { view, changed } = scope(response)
        if (!/^\d+$/.test(id) || !view.cancelFault(Number(id))) {
          throw new ControlError(
            `There is no injected fault ${id.slice(0, 20)}. It may have been used up. GET /_mock/faults lists those left.`,
            404,
          )
        }
        changed(`cancel the injected fault ${id}`)
        response.status(204).end()
      },
    },
  }
}
