/** The image, built with Debian's buildah on a base of this machine's Node (with Debian's busybox-static), and run. */
import type { ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { answersOf, contractScenario, differingCalls, expectedAnswers } from '../support/contract.ts'
import {
  buildImage,
  firstProcess,
  type Image,
  packagesIn,
  type RunOptions,
  removeImages,
  runContainer,
  SOURCE,
} from './container.ts'

const MAX_OURS_MB = 5
const MAX_IMAGE_MB = 70
const TOKEN = 'token-of-the-test'

let image: Image
beforeAll(() => {
  image = buildImage(manifest.version)
})
afterAll(() => removeImages())

interface Container {
  readonly process: ChildProcess
  readonly ended: Promise<number | null>
  readonly origin: string
  output: string
}

async function start(port: number, args: readonly string[], options: RunOptions = {}): Promise<Container> {
  const env = { API_MOCK_TOKEN: TOKEN, API_MOCK_PORT: String(port), ...options.env }
  const process = runContainer(image, [...image.config.Entrypoint, ...args], { ...options, env })
  const ended = new Promise<number | null>((end) => process.once('close', end))
  const container = { process, ended, origin: `http://127.0.0.1:${port}`, output: '' }
  const add = (text: string): void => {
    container.output += text
  }
  process.stdout!.setEncoding('utf8').on('data', add)
  process.stderr!.setEncoding('utf8').on('data', add)
  onTestFinished(async () => {
    if (process.exitCode === null) globalThis.process.kill(firstProcess(process), 'SIGKILL')
    await ended
  })
  for (let look = 0; look < 600; look++) {
    const isUp = await fetch(`${container.origin}/health`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return container
    await new Promise((wake) => setTimeout(wake, 50))
  }
  throw new Error(`The container does not answer.\n${container.output}`)
}

test('it has labels, a health check, a user without rights, and our files in one small layer', () => {
  const { config, layers } = image
  expect(config).toMatchObject({
    User: '1000:1000',
    WorkingDir: '/scenarios',
    Entrypoint: ['node', '/app/dist/cli/main.js'],
    Healthcheck: { Test: ['CMD', 'node', '/app/dist/cli/main.js', 'health'] },
    ExposedPorts: { '4010/tcp': {} },
    Labels: {
      'org.opencontainers.image.title': manifest.name,
      'org.opencontainers.image.version': manifest.version,
      'org.opencontainers.image.licenses': manifest.license,
      'org.opencontainers.image.source': SOURCE,
      'org.opencontainers.image.description': 'A deterministic mock server of an OpenAI-style API',
    },
  })
  const megabytes = layers.map((size) => size / 1e6)
  console.log(`compressed: ${megabytes.map((size) => size.toFixed(1)).join(' + ')} MB`)
  expect(megabytes.at(-1)).toBeLessThan(MAX_OURS_MB)
  expect(megabytes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_IMAGE_MB)
})

test('it holds the package and what the server imports, and nothing for tests or browsers', () => {
  const packages = packagesIn(join(image.files, 'app/node_modules'))
  expect(packages).toContain('express')
  expect(packages.filter((name) => /msw|vitest|typescript|esbuild|seedrandom|graphql/.test(name))).toEqual([])
  const files = readdirSync(join(image.files, 'app'), { recursive: true, encoding: 'utf8' })
  expect(files.filter((file) => /\.(?:ts|map|spec\.js)$/.test(file))).toEqual([])
  expect(existsSync(join(image.files, 'bin/sh'))).toBe(false)
  for (const path of ['src', 'test', 'dist/browser.js', 'dist/cjs']) {
    expect(existsSync(join(image.files, 'app', path)), path).toBe(false)
  }
  const { version } = JSON.parse(readFileSync(join(image.files, 'app/package.json'), 'utf8'))
  expect(version).toBe(manifest.version)
})

test('with a read-only root and as another user, it answers every call of the contract as a mock in process does', async () => {
  const { origin } = await start(4110, ['--log', 'none'])
  const authorization = `Bearer ${TOKEN}`
  expect((await fetch(`${origin}/_mock/journal`)).status).toBe(401)
  const put = await fetch(`${origin}/_mock/scenario`, {
    method: 'PUT',
    headers: { authorization },
    body: contractScenario(),
  })
  expect(put.status).toBe(200)
  expect(differingCalls(await answersOf(`${origin}/v1`), await expectedAnswers())).toEqual([])
})

test('it takes a scenario from /scenarios, its health check succeeds, and SIGTERM ends it cleanly', async () => {
  const scenarios = mkdtempSync(join(tmpdir(), 'api-mock-scenarios-'))
  onTestFinished(() => rmSync(scenarios, { recursive: true, force: true }))
  // The image's user is another one.
  chmodSync(scenarios, 0o755)
  writeFileSync(join(scenarios, 'mine.yaml'), 'description: Says hello.\nreplies:\n  - say: Hello from a file.\n')
  const container = await start(4111, ['--scenario', 'mine.yaml'], { scenarios })

  const [, ...check] = image.config.Healthcheck.Test
  const health = runContainer(image, check, { env: { API_MOCK_PORT: '4111' } })
  expect(await new Promise((end) => health.once('close', end))).toBe(0)
  const unhealthy = runContainer(image, check, { env: { API_MOCK_PORT: '4112' } })
  expect(await new Promise((end) => unhealthy.once('close', end))).toBe(1)

  const answer = await fetch(`${container.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hi' }] }),
  })
  expect(await answer.text()).toContain('Hello from a file.')
  process.kill(firstProcess(container.process), 'SIGTERM')
  expect(await container.ended).toBe(0)
  expect(container.output).toContain('Stopping.')
})
