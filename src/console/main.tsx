/**
 * The page at `/_mock/`: browser code, in Preact. It is bundled as `main.js` and `page.css` by scripts/bundles.ts.
 *
 * - `app`: the frame. `views.tsx` lists the views, `router.ts` has their addresses, `store.ts` what they share (the
 *   connection, the status, the calls), `notices.tsx` messages, `keys.tsx` keyboard shortcuts, `dialogs.tsx` questions.
 * - `api`: calls to the control plane, and its event stream.
 * - `calls`: the list of calls. `call`: one call.
 * - `faults`, `scenario`, `try`, `now`: one folder for each other view.
 * - `report`: reports of runs and hunts. report-page.tsx is the page of `run --report html`, with `embedded.ts` as its data.
 * - `parts`: components and functions that several views use.
 * - `styles`: colours (`tokens.css`) and what all views share. The styles of a view are in its folder; `page.css` imports them.
 *
 * Files with JSX are `.tsx`. What needs no browser is in `.ts` files and tested in test/console.
 */
import { render } from 'preact'
import { App } from './app/app.tsx'
import { connect, takeTokenFromLink } from './app/store.ts'
import { VIEWS } from './app/views.tsx'

takeTokenFromLink()
render(<App views={VIEWS} />, document.body)
connect()
