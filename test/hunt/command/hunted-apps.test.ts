/** `api-mock hunt` finds in an app what the hunt in process finds. */
import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { beforeAll, expect, test, vi } from 'vitest'
import { HuntError, hunt } from '../../../src/hunt.ts'
import { command, temporaryFolder } from '../../cli/command.ts'
import { booking } from '../../clients/hunt/booking.ts'
import { summary } from '../../clients/hunt/summary.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let program = ''

beforeAll(async () => {
  const bundle = await rolldown({
    input: resolve(import.meta.dirname, '../../clients/hunt/run-app.ts'),
    platform: 'node',
    logLevel: 'silent',
  })
  const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
  program = output[0].code
})

test.each([
  { app: booking, faults: ['bad-request'] as const },
  { app: summary, faults: ['unfinished'] as const },
])('$app.name: $app.bug', async ({ app, faults }) => {
  const { name, scenario, use } = app
  const error = await hunt(scenario, ({ baseURL, scenario: { exampleKey: key } }) => use({ baseURL, key }, 'buggy'), {
    depth: 1,
    faults,
  }).catch((thrown) => thrown)
  expect(error).toBeInstanceOf(HuntError)
  const calls = error.message.split('\n').filter((line: string) => line.startsWith('  call'))

  const cwd = temporaryFolder()
  writeFileSync(join(cwd, 'run-app.mjs'), program)
  writeFileSync(join(cwd, `${name}.yaml`), JSON.stringify(scenario))
  const huntFor = (variant: string) => {
    const options = ['--scenario', `${name}.yaml`, '--depth', '1', '--faults', faults.join()]
    return command(['hunt', ...options, '--', process.execPath, 'run-app.mjs', name, variant], { cwd })
  }
  const { code, stdout } = await huntFor('buggy')
  expect(stdout).toContain(`FAILS with ${app.size} fault`)
  for (const call of calls) expect(stdout).toContain(call)
  expect(code).toBe(1)
  expect(await huntFor('fixed')).toMatchObject({ code: 0 })
})
