/**
 * The how-to pages are true: their examples are followed in a copy of the sources, which then compiles and answers.
 *
 * A block of TypeScript begins with its place: a file, `NAME in file` for an entry of a list, or `imports of file`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')
// Below node_modules, because the sources import the package's dependencies.
const copy = resolve(ROOT, `node_modules/.how-to-${process.pid}`)

const PAGES = ['adding-a-condition', 'adding-a-dialect', 'adding-a-fault', 'adding-an-endpoint']
const blocks = PAGES.flatMap((page) =>
  [...readFileSync(resolve(ROOT, `docs/${page}.md`), 'utf8').matchAll(/^ *```ts\n *\/\/ (.*)\n([\s\S]*?)^ *```/gm)].map(
    ([, place = '', code = '']) => ({ page, place, code }),
  ),
)

const read = (file: string): string => readFileSync(resolve(copy, file), 'utf8')

function follow({ place, code }: (typeof blocks)[number]): void {
  const [, imports] = /^imports of (\S+)$/.exec(place) ?? []
  const [, name, file = place] = /^(\w+) in (\S+)$/.exec(place) ?? []
  if (imports !== undefined) return write(imports, code + read(imports))
  if (name === undefined) return write(file, code)
  const text = read(file)
  // The entry comes first in the list.
  const start = new RegExp(`const ${name}\\b[^\\n]*[[{(]\\n`).exec(text)
  expect(start, `${file} has no list ${name}`).not.toBeNull()
  const end = start!.index + start![0].length
  write(file, text.slice(0, end) + code + text.slice(end))
}

function write(file: string, text: string): void {
  mkdirSync(dirname(resolve(copy, file)), { recursive: true })
  writeFileSync(resolve(copy, file), text)
}

beforeAll(() => {
  for (const part of ['src', 'scripts', 'scenarios', 'docs', 'package.json', 'scenario.schema.json'])
    cpSync(resolve(ROOT, part), resolve(copy, part), { recursive: true })
  for (const block of blocks) follow(block)
  // As the pages say: npm run generate.
  execFileSync(process.execPath, ['--import', 'tsx', resolve(copy, 'scripts/generate.ts')], { cwd: copy })
})
afterAll(() => rmSync(copy, { recursive: true, force: true }))

test('every page has examples', () => {
  expect([...new Set(blocks.map(({ page }) => page))]).toEqual(PAGES)
})

test('the sources compile with all examples', () => {
  const options = { extends: '../../tsconfig.json', files: ['src/index.ts', 'src/node.ts'], include: [] }
  const types = ['random/seedrandom-xor128.d.ts', 'tokenizer/table-modules.d.ts'].map((file) => `src/core/lib/${file}`)
  write('tsconfig.json', JSON.stringify({ ...options, files: [...options.files, ...types] }))
  const tsc = resolve(ROOT, 'node_modules/typescript/bin/tsc')
  const run = (): string => execFileSync(process.execPath, [tsc, '-p', copy], { encoding: 'utf8' })
  let output = ''
  try {
    output = run()
  } catch (error) {
    output = String((error as { stdout: string }).stdout)
  }
  expect(output.split('\n').filter((line) => line.includes('error'))).toEqual([])
})

test('the new endpoint and the new dialect answer, the new fault applies, and the new condition matches', () => {
  write(
    'try.ts',
    `
    import { createMock } from './src/index.ts'
    import { listen } from './src/node.ts'
    const mock = createMock({
      description: 'The examples.',
      replies: [{ when: { maxTokens: 5 }, say: 'short' }],
      faults: [{ fault: 'lonely-events', when: { stream: true } }],
    } as never)
    const server = await listen(mock, { port: 0 })
    const ask = async (path: string, body: object) => {
      const headers = { authorization: 'Bearer sk-test', 'content-type': 'application/json' }
      return (await fetch(server.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).text()
    }
    const chat = { model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }] }
    console.log(JSON.stringify([
      JSON.parse(await ask('/moderations', { model: 'echo-1', input: 'Hello' })).results[0].flagged,
      JSON.parse(await ask('/chat/completions', { ...chat, max_tokens: 5 })).choices[0].message.content,
      (await ask('/chat/completions', { ...chat, stream: true })).startsWith(':' + ' '.repeat(16)),
      JSON.parse(await ask('/completions', { model: 'echo-1', prompt: 'Hello' })).choices[0],
      [...(await ask('/completions', { model: 'echo-1', prompt: 'Hello there', stream: true })).matchAll(/"text":"(.*?)"/g)].map(([, text]) => text),
    ]))
    await server.close(0)`,
  )
  const output = execFileSync(process.execPath, ['--import', 'tsx', resolve(copy, 'try.ts')], {
    cwd: ROOT,
    encoding: 'utf8',
  })
  expect(JSON.parse(output)).toEqual([
    false,
    'short',
    true,
    { index: 0, text: 'Hello', logprobs: null, finish_reason: 'stop' },
    ['Hello', ' there', ''],
  ])
})
