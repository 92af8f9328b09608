/** Virtual time against real time: an app sees the same events in the same order, and the same errors. */
import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile, spawn } from 'node:child_process'
import crypto, {
  generateKeyPair,
  generateKeyPairSync,
  pbkdf2,
  randomBytes,
  type ScryptOptions,
  scrypt,
  scryptSync,
} from 'node:crypto'
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { hrtime } from 'node:process'
import timers from 'node:timers'
import promises, { setInterval as every, scheduler, setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { VirtualTime } from '../../../src/play/time/virtual-time.ts'

type Log = (event: unknown) => void

/** Stored before time is virtual, as modules do. */
const [storedScrypt, storedPbkdf2, storedGzip, storedKeyPair] = [scrypt, pbkdf2, gzip, generateKeyPair].map(promisify)

/** Logs which of the two came first: the work, or a timer that is due much later than the work takes. */
async function race(log: Log, name: string, work: Promise<unknown>): Promise<void> {
  const timer = setTimeout(() => log('timer'), 60_000)
  await work
  log(name)
  clearTimeout(timer)
}

function later() {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

const nodeProgram = (ms: number): Promise<unknown> =>
  promisify(execFile)(process.execPath, ['-e', `setTimeout(() => {}, ${ms})`])

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'no error',
    ({ name, code, message, cause }) => ({ name, code, message, cause }),
  )

/** The examples of each row of the table in docs/hunt.md, by its first cell. */
const ROWS: Readonly<Record<string, Readonly<Record<string, (log: Log) => Promise<unknown>>>>> = {
  '`setTimeout`, `setInterval`': {
    'timers end in the order of their times, those of one time in the order of their calls': async (log) => {
      for (const ms of [40, 20, 0, 1, Number.NaN, -5, 20]) setTimeout(log, ms, ms)
      await wait(60)
    },
    'a timer that another one clears does not end, even at the same time': async (log) => {
      const clearAll = (name: string) => {
        log(name)
        for (const timer of both) clearTimeout(timer)
      }
      const both = [5, 5, 10].map((ms, index) => setTimeout(clearAll, ms, `timer ${index}`))
      await wait(30)
    },
    'an interval begins anew after its callback': async (log) => {
      let turn = 0
      const { promise, resolve } = later()
      const interval = setInterval(() => {
        log(`interval ${++turn}`)
        setTimeout(log, 20, `timer ${turn}`)
        if (turn < 3) return
        clearInterval(interval)
        setTimeout(resolve, 30)
      }, 20)
      await promise
    },
    'a timer can be unreferenced, refreshed and closed': async (log) => {
      const timer = setTimeout(log, 20, 'unreferenced').unref()
      log(timer.hasRef())
      const refreshed = setTimeout(log, 100, 'refreshed')
      await wait(50)
      refreshed.refresh()
      setTimeout(log, 70, 'not refreshed')
      setTimeout(log, 60, 'closed').close()
      await wait(150)
    },
    'what is no function is refused': async (log) => {
      try {
        setTimeout('code' as never)
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        log([code, message])
      }
    },
    'promisify(setTimeout) waits, and its signal ends the wait': async (log) => {
      const waitFor = promisify(setTimeout)
      log(await waitFor(20, 'value'))
      log(await errorOf(waitFor(20, 'value', { signal: AbortSignal.abort('left') })))
    },
  },
  '`node:timers/promises`': {
    'setTimeout returns its value': async (log) => log(await wait(20, 'value')),
    'a signal ends a wait with an AbortError': async (log) => {
      const leaving = new AbortController()
      const waiting = errorOf(wait(200, 'value', { signal: leaving.signal }))
      setTimeout(() => leaving.abort(new Error('left')), 20)
      setTimeout(log, 50, 'later')
      log(await waiting)
      await wait(100)
    },
    'a signal that has aborted ends a wait at once': async (log) => {
      log(await errorOf(wait(20, 'value', { signal: AbortSignal.abort() })))
      log(await errorOf(wait(20, 'value', { signal: AbortSignal.abort('left') })))
    },
    'setInterval repeats, and catches up with a slow reader': async (log) => {
      setTimeout(log, 50, 'timer')
      let turns = 0
      for await (const value of every(30, 'value')) {
        log(value)
        if (++turns === 1) await wait(100)
        if (turns === 4) break
      }
    },
    'a signal ends setInterval with an AbortError': async (log) => {
      const leaving = new AbortController()
      setTimeout(() => leaving.abort('left'), 150)
      const read = async () => {
        for await (const value of every(100, 'value', { signal: leaving.signal })) log(value)
      }
      log(await errorOf(read()))
    },
    'scheduler.wait waits, and its signal ends the wait': async (log) => {
      const startedAt = Date.now()
      await scheduler.wait(30)
      log(Date.now() - startedAt >= 29)
      log(await errorOf(scheduler.wait(20, { signal: AbortSignal.abort('left') })))
    },
  },
  '`AbortSignal.timeout`': {
    'it aborts at its time, alone and in AbortSignal.any': async (log) => {
      const timeout = AbortSignal.timeout(40)
      const either = AbortSignal.any([new AbortController().signal, timeout])
      for (const signal of [timeout, either])
        signal.onabort = () => log([signal.reason.name, signal.reason.message, signal.reason.code])
      setTimeout(log, 20, 'before')
      await wait(80)
      log([timeout.aborted, either.aborted])
    },
  },
  '`Date`, `Intl.DateTimeFormat`': {
    'the date moves with the timers': async (log) => {
      const { format } = new Intl.DateTimeFormat('en', { timeStyle: 'medium' })
      const [before, text, parts] = [new Date(), format(), new Intl.DateTimeFormat().formatToParts()]
      log([format(before), format(new Date())].includes(text))
      log([parts.length, typeof Date()])
      await wait(1100)
      const ms = Date.now() - before.getTime()
      log([ms >= 1099 && ms < 60_000, format() !== text])
    },
  },
  '`performance.now`, `process.hrtime`': {
    'they move with the timers, imported by name too': async (log) => {
      const [now, time, ns] = [performance.now(), hrtime(), process.hrtime.bigint()]
      log([now > 0, time[0] > 0, ns > 0n])
      await wait(1200)
      const since = hrtime(time)
      const passed = [performance.now() - now, since[0] * 1000 + since[1] / 1e6, Number(hrtime.bigint() - ns) / 1e6]
      log(passed.map((ms) => ms >= 1199 && ms < 60_000))
    },
  },
  '`setImmediate`, `process.nextTick`, promises': {
    'ticks come before microtasks, microtasks before immediates, immediates before the next timer': async (log) => {
      const { promise, resolve } = later()
      setTimeout(() => {
        setTimeout(() => {
          log('timer')
          resolve()
        })
        setImmediate(log, 'immediate')
        queueMicrotask(() => log('microtask'))
        void Promise.resolve().then(() => log('promise'))
        process.nextTick(log, 'tick')
        log('sync')
      }, 10)
      await promise
    },
    'timers of one time come before the immediates of the first of them': async (log) => {
      for (const name of ['a', 'b']) {
        setTimeout(() => {
          log(name)
          setImmediate(log, `immediate of ${name}`)
          process.nextTick(log, `tick of ${name}`)
          queueMicrotask(() => log(`microtask of ${name}`))
        }, 20)
      }
      await wait(50)
    },
  },
  '`AsyncLocalStorage`': {
    'the callback of a timer has the store of its call': async (log) => {
      const store = new AsyncLocalStorage<string>()
      await store.run('one', async () => {
        setTimeout(() => log(store.getStore()), 20)
        const interval = setInterval(() => {
          log(store.getStore())
          clearInterval(interval)
        }, 10)
        await wait(40)
        log(store.getStore())
      })
      log(store.getStore())
    },
  },
  files: {
    'a timer that is due later does not end before a file is read': (log) =>
      race(log, 'file', readFile(import.meta.filename)),
  },
  'child processes': {
    'a timer that is due later does not end before a child process': (log) => race(log, 'child', nodeProgram(200)),
    'nor does it when other timers have ended before the child began': async (log) => {
      const others = [setTimeout(log, 10, 'first'), setTimeout(log, 90_000, 'last')]
      await wait(20)
      await race(log, 'child', nodeProgram(200))
      others.forEach(clearTimeout)
    },
    'a timer that is due earlier ends before it': async (log) => {
      const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 100_000)'])
      const ended = once(child, 'exit')
      for (const ms of [100, 200, 300]) setTimeout(log, ms, ms)
      setTimeout(() => child.kill(), 400)
      await ended
      log('child')
    },
  },
  '`node:zlib`, `CompressionStream`': {
    'a timer that is due later does not end before them': async (log) => {
      await race(log, 'gzip', storedGzip!(Buffer.alloc(3_000_000, 'text') as never))
      const zipped = new Blob(['text'.repeat(500_000)]).stream().pipeThrough(new CompressionStream('gzip'))
      await race(log, 'stream', new Response(zipped).arrayBuffer())
    },
  },
  '`node:crypto`, `crypto.subtle`': {
    'a timer that is due later does not end before them, stored or not': async (log) => {
      await race(log, 'scrypt', promisify(crypto.scrypt)('password', 'salt', 64))
      await race(log, 'stored scrypt', storedScrypt!('password' as never, ...(['salt', 64] as never[])))
      await race(log, 'pbkdf2', storedPbkdf2!('password' as never, ...(['salt', 50_000, 64, 'sha512'] as never[])))
      await race(log, 'random bytes', promisify(randomBytes)(1000))
      await race(log, 'key pair', storedKeyPair!('rsa' as never, ...([{ modulusLength: 2048 }] as never[])))
      await race(log, 'digest', crypto.subtle.digest('SHA-256', new Uint8Array(20_000_000)))
    },
    'functions that do not wait give their results': async (log) => {
      log(scryptSync('password', 'salt', 8).toString('hex'))
      log(randomBytes(8).length)
      log(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.asymmetricKeyType)
    },
    'scrypt gives its key and its errors': async (log) => {
      const derive = promisify<string, string, number, ScryptOptions, Buffer>(scrypt)
      log((await derive('password', 'salt', 8, {})).toString('hex'))
      log(await errorOf(derive('password', 'salt', 8, { N: 2 ** 20 })))
    },
  },
  'connections within the process, DNS': {
    'a timer that is due later does not end before an answer': async (log) => {
      const server = createServer((socket) => socket.on('data', (data) => socket.end(data))).listen(0, '127.0.0.1')
      await once(server, 'listening')
      const socket = connect((server.address() as { port: number }).port, '127.0.0.1', () => socket.write('Hello'))
      await race(log, 'answer', once(socket, 'data'))
      server.close()
      await race(log, 'address', lookup('localhost'))
    },
  },
}

const EXAMPLES = Object.entries(ROWS).flatMap(([row, examples]) =>
  Object.entries(examples).map(([name, app]) => ({ row, name, app })),
)

async function eventsOf(app: (log: Log) => Promise<unknown>, run: (app: () => Promise<unknown>) => Promise<unknown>) {
  const events: unknown[] = []
  await run(() => app((event) => events.push(event)))
  return events
}

test.each(EXAMPLES)('$row: $name', async ({ app }) => {
  const real = await eventsOf(app, (run) => run())
  const time = new VirtualTime()
  const virtual = await eventsOf(app, async (run) => expect(await time.run(run, new Promise(() => {}))).toEqual({}))
  time.close()
  expect(real).not.toEqual([])
  expect(virtual).toEqual(real)
})

test('the table of docs/hunt.md has these rows', () => {
  const table = readFileSync('docs/hunt.md', 'utf8').split('virtual-time -->')[1]!
  const rows = table.split('\n').slice(3, -1)
  expect(rows.map((row) => row.split(' | ')[0]!.replace('| ', ''))).toEqual(Object.keys(ROWS))
})

test('all of Node is real again when it is over', () => {
  const read = () => [
    ...[setTimeout, setInterval, setImmediate, timers.setTimeout, promises.setTimeout, promises.setInterval],
    ...[promises.setImmediate, scheduler.wait, AbortSignal.timeout, process.hrtime, hrtime, performance.now, Date],
    ...[promisify(setTimeout), Intl.DateTimeFormat.prototype.formatToParts],
    ...[Object.getOwnPropertyDescriptor(Intl.DateTimeFormat.prototype, 'format')!.get],
  ]
  const before = read()
  new VirtualTime().close()
  expect(read()).toEqual(before)
  expect(Object.hasOwn(performance, 'now')).toBe(false)
})
