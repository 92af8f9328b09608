/** The package as npm would publish it, installed in a project: its files, types, entry points and programs. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 })

const root = resolve(import.meta.dirname, '../..')
const modules = join(root, 'node_modules')
const folder = mkdtempSync(join(tmpdir(), 'api-mock-package-'))
const project = join(folder, 'project')
const installed = join(project, 'node_modules/llm-api-mock')

interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}
let packed: Packed

// A copy is built and packed, so that other tests see no change in the checkout. The dependencies are the checkout's, so
// the registry is not needed.
beforeAll(() => {
  const copy = join(folder, 'copy')
  const left = new Set(['node_modules', '.git', 'dist', 'test'].map((name) => join(root, name)))
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(path) })
  symlinkSync(modules, join(copy, 'node_modules'))
  const report = run('npm', ['pack', '--json', '--silent', '--foreground-scripts=false', '--offline'], copy)
  packed = (JSON.parse(report) as [Packed])[0]

  mkdirSync(installed, { recursive: true })
  run('tar', ['-xzf', join(copy, packed.filename), '--strip-components=1', '-C', installed])
  for (const name of [...dependenciesOf(manifest()), '@types/node', 'undici-types']) link(name)
  mkdirSync(join(project, 'node_modules/.bin'))
  for (const [name, path] of Object.entries(manifest().bin)) {
    symlinkSync(join(installed, path), join(project, 'node_modules/.bin', name))
  }
  writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true, "type": "module" }')
})

afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Manifest {
  readonly version: string
  readonly bin: Readonly<Record<string, string>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional: boolean }>>
}

const manifest = (): Manifest => JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
const dependenciesOf = ({ dependencies, peerDependencies }: Manifest): string[] => [
  ...Object.keys(dependencies),
  ...Object.keys(peerDependencies),
]

function link(name: string): void {
  const path = join(project, 'node_modules', name)
  mkdirSync(dirname(path), { recursive: true })
  symlinkSync(join(modules, name), path)
}

/** Runs a program with this test's Node first in the path, and returns what it printed. */
function run(program: string, args: readonly string[], cwd = project): string {
  const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH}`
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', env: { ...process.env, PATH: path } })
  } catch (error) {
    const { message, stdout } = error as { message: string; stdout: string }
    throw new Error(`${message}\n${stdout}`)
  }
}

/** Runs code as a module of the project. */
const runCode = (code: string, ...flags: string[]): string =>
  run(process.execPath, [...flags, '--input-type=module', '--eval', code])

test('the package holds the build, the scenarios and the docs, and no sources, maps, tests or build programs', () => {
  const paths = packed.files.map(({ path }) => path)
  console.log(`${paths.length} files, ${(packed.unpackedSize / 1000).toFixed()} kB unpacked`)
  const roots = new Set(paths.map((path) => path.split('/')[0]))
  const expected = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'llms.txt', 'package.json']
  expect([...roots].sort()).toEqual([...expected, 'scenario.schema.json', 'scenarios'])
  expect(
    paths.filter((path) => /\.map$|(?<!\.d)\.ts$|(?:^|\/)(?:test|scripts)\/|tsbuildinfo|\.log$/.test(path)),
  ).toEqual([])
})

const PAGE = `
  import { createMock, type JournalEntry, type MockOptions, ScenarioError } from 'llm-api-mock'
  const options: MockOptions = { baseURL: 'https://api.example.com/v1', seed: 7 }
  const mock = createMock({ description: 'A greeting.', replies: [{ say: 'Hi!' }] }, options)
  mock.inject('server-error', { times: 2 })
  const entries: readonly JournalEntry[] = mock.journal
  void [entries, ScenarioError]
  // @ts-expect-error there is no such scenario
  createMock('no-such-scenario')`

const SERVER = `
  import { createMock } from 'llm-api-mock'
  import { intercept, listen, loadScenario, type MockServer } from 'llm-api-mock/node'
  await using server: MockServer = await listen(createMock('rate-limited'), { port: 0 })
  const url: string = server.url
  void [url, intercept, loadScenario]`

const REQUIRED = `
  import mocks = require('llm-api-mock')
  import { listen } from 'llm-api-mock/node'
  import { matchers, type MockMatchers } from 'llm-api-mock/matchers'
  const mock: mocks.Mock = mocks.createMock('rate-limited')
  const result: Promise<{ readonly url: string }> = listen(mock, { port: 0 })
  const check: MockMatchers<void>['toHaveReceived'] | undefined = undefined
  void [result, matchers.toHaveBehaved, check]
  // @ts-expect-error there is no such scenario
  mocks.createMock('no-such-scenario')`

const VERIFIED = `
  import { createMock, type CallFilter } from 'llm-api-mock'
  import { useMock } from 'llm-api-mock/vitest'
  import { expect } from 'vitest'
  const filter: CallFilter = { endpoint: 'chat', user: [/weather/, 'rain'], status: '4xx' }
  const key: string = useMock('flaky', { seed: 7 }).key
  expect(createMock()).toHaveReceived({ ...filter, key, times: 2 })
  expect(createMock()).not.toHaveBehaved()
  // @ts-expect-error there is no such condition
  expect(createMock()).toHaveReceived({ usr: 'x' })`

test.each([
  ['NodeNext', 'NodeNext'],
  ['Bundler', 'ESNext'],
])('its types resolve with moduleResolution %s', (moduleResolution, module) => {
  const check = (name: string, code: string, types: string): void => {
    writeFileSync(join(project, name), code)
    const how = ['--module', module, '--moduleResolution', moduleResolution, '--types', types]
    const strict = ['--noEmit', '--strict', '--target', 'ES2023', '--lib', 'ES2023,DOM,DOM.Iterable,ESNext.Disposable']
    run(process.execPath, [join(modules, 'typescript/bin/tsc'), ...strict, ...how, name])
  }
  check('page.ts', PAGE, '')
  check('server.ts', SERVER, 'node')
  check('verified.ts', VERIFIED, 'node')
  if (module === 'NodeNext') check('required.cts', REQUIRED, 'node')
})

test('plain Node imports both entry points, and a server made with them answers', () => {
  const code = `
    import { createMock } from 'llm-api-mock'
    import { listen } from 'llm-api-mock/node'
    const server = await listen(createMock(), { port: 0 })
    const answer = await fetch(server.url + '/embeddings', {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'hash-1', input: 'hello' }),
    })
    console.log(answer.status, (await answer.json()).object)
    await server.close(0)`
  expect(runCode(code)).toBe('200 list\n')
})

test('require gives the modules that import gives, and the CommonJS build is complete', () => {
  const code = `
    import { createRequire } from 'node:module'
    const require = createRequire(process.cwd() + '/project.js')
    console.log(require('llm-api-mock').createMock === (await import('llm-api-mock')).createMock)
    for (const name of ['index', 'node', 'matchers', 'hunt', 'rehearse']) {
      const built = require(process.cwd() + '/node_modules/llm-api-mock/dist/cjs/' + name + '.cjs')
      const own = await import('llm-api-mock' + (name === 'index' ? '' : '/' + name))
      console.log(Object.keys(own).every((key) => key === 'default' || key === 'module.exports' || key in built))
    }`
  expect(runCode(code, '--no-warnings')).toBe('true\n'.repeat(6))
})

test('a built-in scenario loads no schema, no patterns and no JSON Schema; a scenario in code loads what it needs', () => {
  const code = `
    import { createRequire } from 'node:module'
    import { createMock } from 'llm-api-mock'
    import { intercept } from 'llm-api-mock/node'
    const { cache } = createRequire(process.cwd() + '/none.js')
    const print = () => {
      const files = Object.keys(cache).map((file) => /dist.lazy.([a-z-]+2?)\\.cjs$/.exec(file)?.[1])
      console.log(files.filter(Boolean).join(' ') || 'nothing')
    }
    const { close } = intercept(createMock())
    for (const [path, body] of [['chat/completions', { messages: [{ role: 'user', content: 'Hi' }] }], ['embeddings', { input: 'Hi' }]]) {
      const headers = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }
      const options = { method: 'POST', headers, body: JSON.stringify({ model: 'echo-1', ...body }) }
      const { status } = await fetch('https://api.openai.com/v1/' + path, options)
      if (status !== 200) throw new Error(path + ': ' + status)
      print()
    }
    close()
    createMock({ replies: [{ when: { user: 'hi' }, say: 'Hello!' }] })
    print()
    createMock({ replies: [{ when: { user: /hi/ }, say: 'Hello!' }] })
    print()`
  expect(runCode(code)).toBe('nothing\nknown-words\nknown-words check-source\nknown-words check-source pattern\n')
})

test('a project runs its tests with the matchers and its own mock', () => {
  const code = `
    import { useMock } from 'llm-api-mock/vitest'
    import { expect, test } from 'vitest'
    const mock = useMock()
    test('the mock answers', async () => {
      const headers = { authorization: 'Bearer ' + mock.key, 'content-type': 'application/json' }
      const body = JSON.stringify({ model: 'hash-1', input: 'hello' })
      await fetch('https://api.openai.com/v1/embeddings', { method: 'POST', headers, body })
      expect(mock).toHaveReceived({ endpoint: 'embeddings', key: mock.key, times: 1 })
      expect(mock).not.toHaveReceived({ endpoint: 'chat' })
    })`
  writeFileSync(join(project, 'mock.test.js'), code)
  const report = run(process.execPath, [join(modules, 'vitest/vitest.mjs'), 'run', '--root', project])
  expect(report).toMatch(/1 passed/)
})

test('test runners, the client of Redis and what serves handlers are optional, and only the entry point of a test runner imports it', () => {
  const { peerDependenciesMeta } = manifest()
  const optional = { optional: true }
  const names = ['@jest/globals', '@mswjs/http-middleware', '@redis/client', 'vitest']
  expect(peerDependenciesMeta).toEqual(Object.fromEntries(names.map((name) => [name, optional])))
  for (const file of ['index', 'node', 'jest', 'matchers', 'hunt', 'rehearse', 'cli/main']) {
    expect([...reachedFrom(join(installed, `dist/${file}.js`)).packages]).not.toContain('vitest')
  }
})

test.each(['node', 'vitest', 'jest'])('a browser cannot import the entry point %s', (entryPoint) => {
  const code = `await import('llm-api-mock/${entryPoint}').catch(({ code }) => console.log(code))`
  expect(runCode(code, '--conditions=browser')).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n')
  expect(runCode("await import('llm-api-mock')", '--conditions=browser')).toBe('')
})

test('the entry point for browsers imports nothing but msw', () => {
  const reached = reachedFrom(join(installed, 'dist/browser.js'))
  const packages = new Set([...reached.packages].map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0]))
  expect([...packages]).toEqual(['msw'])
})

test('importing a mock loads no package: msw waits until its handlers are used', () => {
  const { packages } = reachedFrom(join(installed, 'dist/index.js'))
  expect([...packages].filter((name) => !isBuiltin(name))).toEqual([])
})

/** The files that a file imports, directly or not, and the packages that they import. */
function reachedFrom(file: string, files = new Set<string>(), packages = new Set<string>()) {
  files.add(file)
  const text = readFileSync(file, 'utf8')
  // A message may contain "from" before a quotation mark, so a path must name a file.
  for (const [, name] of text.matchAll(/\b(?:from|import|import\()\s*['"](\.[^'"\s]+\.c?js|[^.'"\s][^'"\s]*)['"]/g)) {
    // A message may say to import an entry point of this package.
    if (name!.startsWith('llm-api-mock/')) continue
    if (!name!.startsWith('.')) packages.add(name!)
    else if (!files.has(resolve(dirname(file), name!))) reachedFrom(resolve(dirname(file), name!), files, packages)
  }
  return { files, packages }
}

test('npx finds the program under both names', () => {
  const { version, bin } = manifest()
  expect(Object.keys(bin)).toEqual(['api-mock', 'llm-api-mock'])
  for (const name of Object.keys(bin)) {
    expect(run('npx', ['--no', '--offline', '--', name, '--version']).trim()).toBe(version)
  }
  expect(run('npx', ['--no', '--offline', '--', 'api-mock', 'list'])).toContain('rate-limited')
})

test('the program imports only declared packages', () => {
  const { packages } = reachedFrom(join(installed, 'dist/cli/main.js'))
  const names = [...packages].filter((name) => !isBuiltin(name)).map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)![0])
  expect(dependenciesOf(manifest())).toEqual(expect.arrayContaining([...new Set(names)]))
})

test('a mock starts with files of the program only: no package and no HTTP client is loaded', () => {
  const hooks = `
    import { writeSync } from 'node:fs'
    export function load(url, context, next) {
      if (url.startsWith('file:')) writeSync(2, url + '\\n')
      return next(url, context)
    }`
  const trace = `
    import { createRequire, register } from 'node:module'
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(hooks)}))
    const { cache } = createRequire(process.cwd() + '/none.js')
    process.on('exit', () => {
      const clients = process.moduleLoadList.filter((name) => name.includes('undici'))
      for (const file of [...Object.keys(cache), ...clients]) console.error('file:' + file)
    })`
  writeFileSync(join(project, 'trace.mjs'), trace)
  const main = join(installed, manifest().bin['api-mock']!)
  const node = [process.execPath, '-e', '0']
  const loadedBy = (...args: string[]): string[] => {
    const { stderr } = spawnSync(process.execPath, ['--import', './trace.mjs', main, ...args], {
      cwd: project,
      encoding: 'utf8',
    })
    const files = stderr.split('\n').filter((line) => line.startsWith('file:'))
    const names = files.map((file) => /\/dist\/(?:cli|chunks)\/([a-z-]+?)(?:-[\w-]{8})?\.js$/.exec(file)?.[1] ?? file)
    return [...new Set(names)].sort()
  }
  const program = ['main', 'mock', 'print-lists', 'program', 'rolldown-runtime', 'start', 'usage-error']
  expect(loadedBy('list')).toEqual(program)
  expect(loadedBy('run', '--', ...node)).toEqual([...program, 'run-with-mock'].sort())
})

test('the program answers with what it loads on demand: a scenario file, a pattern, token counts, the page', () => {
  writeFileSync(
    join(project, 'scenario.yaml'),
    "description: Knows the weather.\nreplies:\n  - { when: { user: '/weather in (?<city>\\w+)/i' }, say: 'Sun in {{city}}.' }\n",
  )
  const code = `
    const { OPENAI_BASE_URL: base, OPENAI_API_KEY: key, API_MOCK_URL: origin } = process.env
    const body = { model: 'gpt-4o', messages: [{ role: 'user', content: 'The weather in Oslo?' }] }
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' }
    const answer = await fetch(base + '/chat/completions', { method: 'POST', headers, body: JSON.stringify(body) })
    console.log((await answer.json()).choices[0].message.content)
    for (const path of ['', 'page/main.js', 'page/page.css', 'metrics', 'health']) {
      const { status, headers } = await fetch(origin + '/_mock/' + path, { headers: { accept: 'text/html,*/*' } })
      console.log(status, headers.get('content-type').split(';')[0])
    }`
  const options = ['--scenario', './scenario.yaml', '--log', 'none']
  const command = [process.execPath, '--input-type=module', '--eval', code]
  expect(run('npx', ['--no', '--offline', '--', 'api-mock', 'run', ...options, '--', ...command]).split('\n')).toEqual([
    'Sun in Oslo.',
    '200 text/html',
    '200 text/javascript',
    '200 text/css',
    '200 text/plain',
    '200 application/json',
    '',
  ])
})

test('editors and scripts find the scenarios and their schema', () => {
  const code = "console.log(import.meta.resolve('llm-api-mock/scenario.schema.json'))"
  expect(runCode(code).trim()).toMatch(/llm-api-mock\/scenario\.schema\.json$/)
  expect(readdirSync(join(installed, 'scenarios'))).toEqual(readdirSync(join(root, 'scenarios')))
})

test('the server serves the page and everything that the page loads', () => {
  const code = `
    import { createMock } from 'llm-api-mock'
    import { listen } from 'llm-api-mock/node'
    const server = await listen(createMock(), { port: 0 })
    const wanted = new Set(['/_mock/'])
    for (const path of wanted) {
      const answer = await fetch(new URL(path, server.url), { headers: { accept: 'text/html,*/*' } })
      const text = await answer.text()
      console.log(answer.status, answer.headers.get('content-type').split(';')[0], path)
      const links = [...text.matchAll(/(?:src=|href=|from ?|import\\()["'\\x60](\\.?\\/[^"'\\x60#]+)["'\\x60]/g)].map((match) => match[1])
      for (const link of links) wanted.add(new URL(link, new URL(path, server.url)).pathname)
    }
    await server.close(0)`
  const lines = runCode(code).trim().split('\n')
  expect(lines).toEqual([
    '200 text/html /_mock/',
    '200 image/svg+xml /_mock/page/icon.svg',
    '200 text/css /_mock/page/page.css',
    '200 text/javascript /_mock/page/main.js',
    expect.stringMatching(/^200 text\/javascript \/_mock\/page\/chunks\/picture-panel-[\w-]+\.js$/),
    expect.stringMatching(/^200 text\/javascript \/_mock\/page\/chunks\/editor-[\w-]+\.js$/),
  ])
})
