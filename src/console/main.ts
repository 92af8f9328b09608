/** The page: puts its parts together, and keeps them up to what the mock tells. */

import type { Hello, MockStatus } from '../control-plane/event-stream.ts'
import type { CallDetails, CallSummary } from '../core/journal/call-details.ts'
import type { KeyUsage } from '../core/journal/limit-usage.ts'
import { showCall, showNoCall } from './calls/call-view.ts'
import { CallsTable } from './calls/calls-table.ts'
import { curlOf } from './calls/curl.ts'
import { ControlApi, Refusal } from './control-api.ts'
import { copyText } from './copy-text.ts'
import { byId, element, say } from './dom.ts'
import { FaultForm } from './faults/fault-form.ts'
import { listenToKeys } from './keyboard.ts'
import { showLimits } from './limits-view.ts'
import { follow } from './live.ts'
import { ScenarioEditor } from './scenario/scenario-editor.ts'
import { ruleOf } from './scenario/scenario-rule.ts'
import { makeTabs, type Tab } from './tabs.ts'

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

const showTab = makeTabs((shown) => {
  tab = shown
  if (shown === 'limits') act(loadLimits)
})

/** Does something; what goes wrong is said. */
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
  showNoCall('Choose a call, with the mouse or with j, k and Enter.')
  calls.focusCurrent()
}

function copyCurl(): void {
  if (opened !== undefined) act(() => copyText(curlOf(opened!, location.origin), 'The curl line is copied.'))
}

function copyRule(): void {
  if (opened === undefined) return
  const rule = ruleOf(opened)
  if ('impossible' in rule) say(rule.impossible, true)
  else act(() => copyText(rule.text, 'The rule is copied: it goes into a scenario.'))
}

function takeCall(call: CallSummary): void {
  calls.add(call)
  // What has ended has more to tell.
  if (opened?.number === call.number && opened.outcome !== call.outcome) act(() => open(call.number))
}

// What is in force

function takeStatus(status: MockStatus): void {
  byId('scenario-name', HTMLElement).textContent = status.scenario
  document.title = `${status.scenario} · llm-api-mock`
  faults.showWaiting(status.injected)
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
    say(`The state is ${state}.`)
  })
})

byId('reset', HTMLButtonElement).addEventListener('click', () =>
  act(async () => {
    await api.send('POST', '/reset')
    calls.clear()
    closeCall()
    say('All is forgotten; the scenario stays.')
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
  begin()
})

let following = new AbortController()

function begin(): void {
  following.abort()
  following = new AbortController()
  revision = 0
  const follower = {
    event: (name: string, data: unknown): void => {
      if (name === 'hello') calls.clock = data as Hello
      if (name === 'call') takeCall(data as CallSummary)
      if (name === 'status') takeStatus(data as MockStatus)
      if (name === 'missed') showMissed((data as { calls: number }).calls)
    },
    connected: (): void => {
      showConnection('Live', true)
      // A mock that has come back may be another one, which counts from 1 again.
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
  line.textContent = `${missed.toLocaleString('en')} calls came faster than this page shows them.`
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
      calls.showAll()
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

// A link may bring the token, after the #: no server sees that part. It is taken out of the address at once.
const given = new URLSearchParams(location.hash.slice(1)).get('token')
if (given !== null) {
  api.token = given
  history.replaceState(null, '', location.pathname)
}
byId('base-url', HTMLElement).textContent = `${location.origin}/v1`
begin()
