/** README.md is true: its tables are those of the code, its scenarios pass the checks, its code compiles. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { withTables } from '../../scripts/readme-tables.ts'
import { builtInScenarios } from '../../src/core/scenario/built-in.ts'
import { checkScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'

const root = resolve(import.meta.dirname, '../..')
const readme = readFileSync(resolve(root, 'README.md'), 'utf8')
const blocksOf = (language: string): string[] =>
  [...readme.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, 'gm'))].map((match) => match[1]!)

// Beside the sources, because the examples import this package's dependencies.
const folder = resolve(root, 'node_modules/.readme-examples')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('its tables are what the code says (run: npm run generate)', () => {
  expect(withTables(readme, builtInScenarios)).toBe(readme)
})

test.each(blocksOf('yaml').map((text, index) => [index, text] as const))('scenario %i passes the checks', (_, text) => {
  expect(checkScenario(text, 'README.md')).toMatchObject({ source: { description: expect.any(String) }, warnings: [] })
})

test('its examples compile', { timeout: 60_000 }, () => {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const examples = blocksOf('ts')
  for (const [index, text] of examples.entries()) writeFileSync(resolve(folder, `example-${index}.ts`), text)
  writeFileSync(
    resolve(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: '../../tsconfig.json',
      compilerOptions: {
        noUnusedLocals: false,
        paths: {
          'llm-api-mock': ['../../src/index.ts'],
          'llm-api-mock/node': ['../../src/node.ts'],
          'llm-api-mock/vitest': ['../../src/vitest.ts'],
        },
      },
      // By name: a pattern would pass over everything under node_modules.
      files: [...examples.map((_, index) => `example-${index}.ts`), '../../src/core/random/seedrandom-xor128.d.ts'],
      include: [],
    }),
  )
  const tsc = resolve(root, 'node_modules/typescript/bin/tsc')
  let problems = ''
  try {
    execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' })
  } catch (error) {
    problems = (error as { stdout: string }).stdout
  }
  expect(problems).toBe('')
  expect(examples.length).toBeGreaterThan(5)
})

test('the versions of the clients in its table are those that are tested', () => {
  const rows = readme.matchAll(/^\| `([^`]+)`(?: with `(ai)`)?[^|]*\| ([\d.]+)(?:, ([\d.]+))? \|/gm)
  const named = [...rows].flatMap(([, one, other, version, otherVersion]) => [
    [one!, version!],
    ...(other === undefined ? [] : [[other, otherVersion!]]),
  ])
  const installed = named.map(([name]) => [name, installedVersion(name!)])
  expect(installed.map(([name, version]) => [name, version!.split('.').slice(0, 2).join('.')])).toEqual(named)
  expect(named.length).toBeGreaterThan(5)
})

function installedVersion(name: string): string {
  return JSON.parse(readFileSync(resolve(root, 'node_modules', name, 'package.json'), 'utf8')).version
}

test('it names every option of the command line and every route of the control plane that it should', () => {
  for (const name of [
    '--scenario',
    '--watch',
    '--json',
    '--strict',
    '--handlers',
    '--speed',
    '--workers',
    '/_mock/health',
    '/_mock/scenario',
    '/_mock/state',
    '/_mock/faults',
    '/_mock/journal',
    '/_mock/events',
    '/_mock/limits',
    '/_mock/scenarios',
    '/_mock/faults/catalogue',
    '/_mock/report',
    '/_mock/metrics',
    '/_mock/reset',
  ]) {
    expect(readme).toContain(name)
  }
})

test('its section on safety has a row for each file of test/security, and no other', () => {
  const section = /^## Safety\n([\s\S]*?)^## /m.exec(readme)![1]!
  const rows = [...section.matchAll(/^\| .* \| `([\w-]+)` \|$/gm)].map((match) => match[1]!)
  const files = readdirSync(resolve(root, 'test/security')).filter((name) => name.endsWith('.test.ts'))
  expect(rows.toSorted()).toEqual(files.map((name) => name.replace('.test.ts', '')).toSorted())
})
