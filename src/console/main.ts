/** The page: connects its parts and updates them from the event stream. */

import type { Hello, MockStatus } from '../control-plane/event-stream.ts'
import type { CallDetails, CallSummary } from '../core/journal/call-details.ts'
import type { KeyUsage } from '../core/journal/limit-usage.ts'
import { showCall, showNoCall } from './calls/call-view.ts'
import { CallsTable } from './calls/calls-table.ts'
import { formatCurl } from './calls/curl.ts'
import { ControlApi, Refusal } from './control-api.ts'
import { copyText } from './copy-text.ts'
import { byId, element, say } from './dom.ts'
import { FaultForm } from './faults/fault-form.ts'
import { listenToKeys } from './keyboard.ts'
import { showLimits } from './limits-view.ts'
import { follow } from './live.ts'
import { ScenarioEditor } from './scenario/scenario-editor.ts'
import { formatRule } from './scenario/scenario-rule.ts'
import { activateTabs, type Tab } from './tabs.ts'

const LIMITS_MS = 1000

const api = new ControlApi()
const calls = new CallsTable()
const faults = new FaultForm(api, act)
const scenario = new ScenarioEditor(api, act)
scenario.onKeys = (keys) => faults.offerKeys(keys)
let opened: CallDetails | undefined
let revision = 0
let missed = 0
let tab: Tab = 'call'

const showTab = activateTabs((shown) => {
  tab = shown
  if (shown === 'limits') act(loadLimits)
})

/** Runs an action and shows its error, if any. */
function act(what: () => Promise<void>): void {
  what().catch((error: Error) => {
    if (error instanceof Refusal && error.status === 401) askForToken()
    else say(error.message, true)
  })
}

// Calls

calls.onOpen = (number) => act(() => open(number))

async function open(number: number): Promise<void> {
  calls.mark(number)
  showTab('call')
  try {
    opened = await api.read<CallDetails>(`/journal/${number}`)
    showCall(opened, { copyCurl, copyRule, close: closeCall })
  } catch (error) {
    opened = undefined
    showNoCall((error as Error).message)
  }
}

function closeCall(): void {
  if (opened === undefined) return
  opened = undefined
  calls.mark(undefined)
  showNoCall('Select a call with the mouse, or with j, k and Enter.')
  calls.focusCurrent()
}

function copyCurl(): void {
  if (opened !== undefined) act(() => copyText(formatCurl(opened!, location.origin), 'Copied as curl.'))
}

function copyRule(): void {
  if (opened === undefined) return
  const rule = formatRule(opened)
  if ('impossible' in rule) say(rule.impossible, true)
  else act(() => copyText(rule.text, 'Copied as a rule for a scenario.'))
}

function updateCall(call: CallSummary): void {
  calls.add(call)
  // A finished call has more details.
  if (opened?.number === call.number && opened.outcome !== call.outcome) act(() => open(call.number))
}

// Status

function showStatus(status: MockStatus): void {
  byId('scenario-name', HTMLElement).textContent = status.scenario
  document.title = `${status.scenario} · llm-api-mock`
  faults.showInjected(status.injected)
  const choice = byId('state', HTMLSelectElement)
  byId('state-field', HTMLElement).hidden = status.state === null
  if (Array.from(choice.options, ({ value }) => value).join() !== status.states.join()) {
    choice.replaceChildren(...status.states.map((state) => element('option', { value: state }, state)))
  }
  if (status.state !== null) choice.value = status.state
  if (status.revision === revision) return
  revision = status.revision
  act(() => scenario.load())
}

byId('state', HTMLSelectElement).addEventListener('change', ({ currentTarget }) => {
  const state = (currentTarget as HTMLSelectElement).value
  act(async () => {
    await api.send('PUT', '/state', { state })
    say(`Entered the state ${state}.`)
  })
})

byId('reset', HTMLButtonElement).addEventListener('click', () =>
  act(async () => {
    await api.send('POST', '/reset')
    calls.clear()
    closeCall()
    say('Reset. The scenario stays.')
  }),
)

async function loadLimits(): Promise<void> {
  showLimits((await api.read<{ keys: readonly KeyUsage[] }>('/limits')).keys)
}
setInterval(() => {
  if (tab === 'limits' && !document.hidden) act(loadLimits)
}, LIMITS_MS)

// The connection

function showConnection(text: string, isLive: boolean): void {
  const connection = byId('connection', HTMLElement)
  connection.textContent = text
  connection.classList.toggle('live', isLive)
}

function askForToken(): void {
  byId('token-form', HTMLElement).hidden = false
}

byId('token-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault()
  api.token = byId('token', HTMLInputElement).value.trim()
  byId('token-form', HTMLElement).hidden = true
  connect()
})

let following = new AbortController()

function connect(): void {
  following.abort()
  following = new AbortController()
  revision = 0
  const follower = {
    event: (name: string, data: unknown): void => {
      if (name === 'hello') calls.clock = data as Hello
      if (name === 'call') updateCall(data as CallSummary)
      if (name === 'status') showStatus(data as MockStatus)
      if (name === 'missed') showMissed((data as { calls: number }).calls)
    },
    connected: (): void => {
      showConnection('Live', true)
      // A restarted mock counts calls from 1 again.
      calls.clear()
      revision = 0
      act(() => Promise.all([faults.load(), scenario.loadBuiltIn()]).then(() => {}))
    },
    lost: ({ status, message }: Refusal): void => {
      showConnection('Not connected', false)
      if (status !== 401) return say(message, true)
      following.abort()
      askForToken()
    },
  }
  void follow(api, follower, following.signal)
}

function showMissed(more: number): void {
  missed += more
  const line = byId('missed', HTMLElement)
  line.hidden = false
  line.textContent = `${missed.toLocaleString('en')} calls came too fast to be shown.`
}

// Keys

const dialog = byId('keys', HTMLDialogElement)
byId('show-keys', HTMLButtonElement).addEventListener('click', () => dialog.showModal())

listenToKeys({
  j: () => calls.step(1),
  k: () => calls.step(-1),
  Enter: () => calls.openCurrent(),
  Escape: () => {
    if (byId('filters', HTMLFormElement).contains(document.activeElement)) {
      calls.clearFilters()
      calls.focusCurrent()
    } else if (tab === 'call') closeCall()
  },
  '/': () => byId('filter-text', HTMLInputElement).focus(),
  f: () => byId('fault', HTMLSelectElement).focus(),
  c: copyCurl,
  r: copyRule,
  s: () => {
    showTab('scenario')
    scenario.focus()
  },
  l: () => {
    showTab('limits')
    byId('tab-limits', HTMLElement).focus()
  },
  '?': () => dialog.showModal(),
})

// A link may contain the token after the #, which is not sent to any server. Remove it from the address at once.
const given = new URLSearchParams(location.hash.slice(1)).get('token')
if (given !== null) {
  api.token = given
  history.replaceState(null, '', location.pathname)
}
byId('base-url', HTMLElement).textContent = `${location.origin}/v1`
connect()
