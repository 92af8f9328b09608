/** README.md, llms.txt and docs/ are true: examples run, scenarios are valid, commands and links exist. */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { ENDPOINTS } from '../../src/core/protocol/request/endpoints.ts'
import { FINDING_NAMES } from '../../src/core/report/client-findings.ts'
import { conditionNames } from '../../src/core/scenario/conditions/condition-table.ts'
import { checkScenario } from '../../src/core/scenario/yaml/parse-scenario.ts'
import { builtInScenarios } from '../../src/generated/built-in.ts'

const root = resolve(import.meta.dirname, '../..')
const MAX_README_LINES = 220

interface Page {
  readonly path: string
  readonly text: string
}

interface Block {
  readonly page: string
  readonly language: string
  readonly code: string
}

const pages: readonly Page[] = [
  'README.md',
  'llms.txt',
  ...readdirSync(resolve(root, 'docs'))
    .filter((file) => file.endsWith('.md'))
    .map((file) => `docs/${file}`),
].map((path) => ({ path, text: readFileSync(resolve(root, path), 'utf8') }))

const readme = pages[0]!.text

const blocks: readonly Block[] = pages.flatMap(({ path, text }) =>
  [...text.matchAll(/^```(\w*)\n([\s\S]*?)^```/gm)].map(([, language = '', code = '']) => ({
    page: path,
    language,
    code,
  })),
)
const blocksOf = (...languages: string[]): readonly Block[] =>
  blocks.filter(({ language }) => languages.includes(language))

const pageText = (path: string): string => pages.find((page) => page.path === path)!.text

test(`README.md has at most ${MAX_README_LINES} lines`, () => {
  expect(readme.trimEnd().split('\n').length).toBeLessThanOrEqual(MAX_README_LINES)
})

test('README.md states the number of faults, wherever it does', () => {
  const numbers = [...readme.matchAll(/(\d+) faults/g)].map(([, number]) => Number(number))
  expect(numbers.length).toBeGreaterThan(1)
  expect(new Set(numbers)).toEqual(new Set([faults.length]))
})

describe('tables that are kept by hand have a row for each', () => {
  const firstCells = (text: string, head: string): string[] => {
    const [table = ''] = text.split(`\n${head}`)[1]!.split('\n\n')
    return [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(([, cell = '']) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name!),
    )
  }

  test('condition: the filters in docs/testing.md', () => {
    expect(firstCells(pageText('docs/testing.md'), '| filter |')).toEqual(expect.arrayContaining([...conditionNames]))
  })

  test('finding: docs/ci.md', () => {
    expect(firstCells(pageText('docs/ci.md'), '| finding |').toSorted()).toEqual([...FINDING_NAMES].toSorted())
  })

  test('route: docs/wire.md', () => {
    const paths = Object.values(ENDPOINTS).flatMap(({ routes }) =>
      routes.map((route) => route.replace('{+model}', '{model}')),
    )
    expect(paths.filter((route) => !pageText('docs/wire.md').includes(`\`${route}\``))).toEqual([])
  })
})

describe('every YAML block is a scenario without problems or warnings', () => {
  test.each(blocksOf('yaml').map(({ page, code }, index) => [page, index, code] as const))(
    '%s, block %i',
    (_, __, code) => {
      expect(checkScenario(code, 'docs')).toMatchObject({ source: expect.any(Object), warnings: [] })
    },
  )
})

test('examples name only models whose settings are certain, but for the one kind with breakpoints', () => {
  const models = Object.entries(builtInScenarios.openai.models!)
  const uncertain = models.filter(([, settings]) => settings.uncertain !== undefined).map(([name]) => name)
  const named = blocks.flatMap(({ page, code }) =>
    uncertain.filter((name) => code.split(/[^\w.-]+/).includes(name)).map((name) => `${page}: ${name}`),
  )
  expect(named).toEqual(['docs/prompt-cache.md: gpt-5.6-sol'])
  const [, first] = models.find(([, { endpoint }]) => endpoint === 'chat')!
  expect(first.uncertain).toBeUndefined()
})

test('every JSON block is JSON', () => {
  for (const { page, code } of blocksOf('json')) expect(() => JSON.parse(code), `${page}: ${code}`).not.toThrow()
})

describe('JavaScript examples', () => {
  // Below node_modules, because the examples import this package's dependencies.
  const folder = resolve(root, `node_modules/.docs-examples-${process.pid}`)
  // Those of other test runners are files of test/runners, which run them.
  const isRunners = ({ code }: Block): boolean => /llm-api-mock\/(?:jest|matchers)'|preset: 'llm-api-mock'/.test(code)
  const examples = blocksOf('js').filter((block) => !isRunners(block))
  const nameOf = ({ page, language, code }: Block, index: number): string => {
    const kind = /^test(?:\.\w+)?\(/m.test(code) ? 'test' : 'example'
    return `${page.replace(/\W+/g, '-')}-${index}.${kind}.${language}`
  }
  const entryPoints = {
    'llm-api-mock/node': 'node',
    'llm-api-mock/vitest': 'vitest',
    'llm-api-mock/hunt': 'hunt',
    'llm-api-mock/rehearse': 'rehearse',
    'llm-api-mock': 'index',
  }
  const pathOf = (file: string): string => resolve(root, `src/${file}.ts`)

  beforeAll(() => {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    for (const [index, block] of examples.entries()) writeFileSync(resolve(folder, nameOf(block, index)), block.code)
    // Scenarios that begin with their file name, which examples load.
    for (const { code } of blocksOf('yaml')) {
      const file = /^# ([\w-]+\.yaml)\n/.exec(code)?.[1]
      if (file !== undefined) writeFileSync(resolve(folder, file), code)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  test('they are plain JavaScript that Node 20 can parse', () => {
    for (const { page, code } of examples) {
      expect(code, `${page}: \`using\` needs Node 24`).not.toMatch(/\busing \w+ =/)
    }
    expect(examples.length).toBeGreaterThan(10)
  })

  test('those of other test runners are files of test/runners', () => {
    const files = ['jest-commonjs', 'jest-esm', 'mocha', 'node-test'].flatMap((runner) => {
      const folder = resolve(root, 'test/runners', runner)
      return readdirSync(folder).map((file) => readFileSync(resolve(folder, file), 'utf8'))
    })
    const runners = blocksOf('js').filter(isRunners)
    for (const { code } of runners) expect(files).toContain(code)
    expect(runners).toHaveLength(5)
  })

  test('they compile against the package', { timeout: 60_000 }, () => {
    writeFileSync(
      resolve(folder, 'tsconfig.json'),
      JSON.stringify({
        extends: '../../tsconfig.json',
        compilerOptions: {
          allowJs: true,
          checkJs: true,
          noUnusedLocals: false,
          // JavaScript has no place to say what an example's own parameters are.
          noImplicitAny: false,
          noUncheckedIndexedAccess: false,
          paths: Object.fromEntries(Object.entries(entryPoints).map(([name, file]) => [name, [pathOf(file)]])),
        },
        // By name, because a pattern passes over everything below node_modules.
        files: [...examples.map(nameOf), '../../src/core/lib/random/seedrandom-xor128.d.ts'],
        include: [],
      }),
    )
    const output = outputOf([resolve(root, 'node_modules/typescript/bin/tsc'), '-p', folder])
    // The sources compile too, under options that are not theirs.
    expect(output.split('\n').filter((line) => line.includes('.docs-examples'))).toEqual([])
  })

  test('those that are tests pass', { timeout: 120_000 }, () => {
    const alias = Object.entries(entryPoints).map(([name, file]) => ({ find: name, replacement: pathOf(file) }))
    const config = {
      resolve: { alias },
      test: {
        root: folder,
        include: ['*.test.js'],
        exclude: [],
        server: { deps: { inline: [/docs-examples/] } },
        // Loading the sources takes longer than the examples, so they share one copy.
        ...{ pool: 'threads', isolate: false, maxWorkers: 1 },
      },
    }
    writeFileSync(
      resolve(folder, 'vitest.config.mjs'),
      `export default ${JSON.stringify(config).replace('[{}]', '[/docs-examples/]')}\n`,
    )
    const vitest = resolve(root, 'node_modules/vitest/vitest.mjs')
    const report = outputOf(
      [vitest, 'run', '--config', resolve(folder, 'vitest.config.mjs'), '--reporter=json'],
      folder,
    )
    const { success, testResults } = JSON.parse(report.slice(report.indexOf('{')))
    expect({ success, report: success ? '' : report }).toEqual({ success: true, report: '' })
    // A file for each example.
    expect(testResults).toHaveLength(examples.filter((block, index) => nameOf(block, index).includes('.test.')).length)
  })
})

/** What a Node program prints, whether it succeeds or fails. */
function outputOf(args: readonly string[], cwd = root): string {
  try {
    return execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    return stdout + stderr
  }
}

describe('shell examples', () => {
  const commands = blocksOf('sh').flatMap(({ page, code }) =>
    code
      .replaceAll('\\\n', ' ')
      .split('\n')
      .map((line) => ({ page, line: line.replace(/\s+#.*$/, '').trim() }))
      .filter(({ line }) => line !== ''),
  )
  const help = pageText('docs/commands.md')
  const sectionOf = (command: string): string | undefined =>
    help.split(/^## /m).find((section) => section.startsWith(`api-mock${command && ` ${command}`}\n`))

  test('every api-mock command and option exists', () => {
    const found = commands.filter(({ line }) => /^(?:npx )?api-mock\b/.test(line) || line.includes('npx api-mock'))
    for (const { page, line } of found) {
      const [own = ''] = line.slice(line.indexOf('api-mock') + 'api-mock'.length).split(' -- ')
      const command = /^ ([a-z]+)/.exec(own)?.[1] ?? ''
      const section = sectionOf(command)
      expect(section, `${page}: ${line}`).toBeDefined()
      for (const [option] of own.matchAll(/--[a-z-]+/g)) expect(section, `${page}: ${line}`).toContain(option)
    }
    expect(found.length).toBeGreaterThan(10)
  })

  test('every npm script exists', () => {
    const { scripts } = JSON.parse(readFileSync(resolve(root, 'package.json'), 'utf8'))
    const named = commands.flatMap(({ line }) => [...line.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1]!))
    for (const name of named) if (name !== 'dev') expect(Object.keys(scripts)).toContain(name)
    expect(named.length).toBeGreaterThan(3)
  })

  test('every other line is a program that readers have', () => {
    const programs = new Set(commands.map(({ line }) => line.split(' ')[0]!))
    expect(
      [...programs].filter(
        (name) => !['api-mock', 'npx', 'npm', 'curl', 'git', 'redis-server', 'docker'].includes(name),
      ),
    ).toEqual([])
  })
})

describe('links', () => {
  const slugsOf = (text: string): string[] => {
    const withoutCode = text.replace(/^```[\s\S]*?^```/gm, '')
    return [...withoutCode.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )
  }

  test.each(pages.map(({ path, text }) => [path, text] as const))(
    '%s links to pages and headings that exist',
    (path, text) => {
      const targets = [...text.replace(/^```[\s\S]*?^```/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1]!)
      const broken = targets
        .filter((target) => !/^https?:/.test(target))
        .filter((target) => {
          const [file = '', anchor] = target.split('#')
          const linked = file === '' ? resolve(root, path) : resolve(root, dirname(path), file)
          if (!existsSync(linked)) return true
          return anchor !== undefined && !slugsOf(readFileSync(linked, 'utf8')).includes(anchor)
        })
      expect(broken).toEqual([])
    },
  )

  test('docs/README.md links to every page', () => {
    const index = pageText('docs/README.md')
    const missing = pages
      .map(({ path }) => relative('docs', path))
      .filter((path) => path.endsWith('.md') && !path.startsWith('..') && path !== 'README.md')
      .filter((path) => !index.includes(`(${path})`))
    expect(missing).toEqual([])
  })
})

describe('the source tree', () => {
  // The files that the how-to pages have their readers write.
  const EXAMPLES = /moderations-endpoint\.ts/

  test.each(pages.map(({ path, text }) => [path, text] as const))('%s names files that exist', (_, text) => {
    const named = [...text.matchAll(/`((?:src|test|scripts|scenarios)\/[\w./-]+)`/g)].map((match) => match[1]!)
    expect(named.filter((file) => !EXAMPLES.test(file) && !existsSync(resolve(root, file)))).toEqual([])
  })

  test('docs/architecture.md names functions where they are', () => {
    const page = pageText('docs/architecture.md')
    const behind = [...page.matchAll(/`(src\/[\w./-]+)` \(((?:`#?\w+`(?:, )?)+)\)/g)].flatMap(
      ([, file = '', names = '']) => [...names.matchAll(/`#?(\w+)`/g)].map(([, name]) => [file, name!] as const),
    )
    const before = [...page.matchAll(/`(\w+)` in `(src\/[\w./-]+\.ts)`/g)].map(
      ([, name, file]) => [file!, name!] as const,
    )
    const missing = [...behind, ...before].filter(
      ([file, name]) => !readFileSync(resolve(root, file), 'utf8').includes(name),
    )
    expect(missing).toEqual([])
    expect(behind.length + before.length).toBeGreaterThan(5)
  })

  test.each(['src', 'src/core'])('docs/architecture.md describes every folder of %s', (folder) => {
    const table = pageText('docs/architecture.md').split(`| folder of \`${folder}\` |`)[1]!.split('\n\n')[0]!
    const described = [...table.matchAll(/^\| (`[^|]*`) \|/gm)].flatMap(
      ([, names = '']) => names.match(/[\w-]+/g) ?? [],
    )
    const folders = readdirSync(resolve(root, folder), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(described.toSorted()).toEqual(folders.map(({ name }) => name).toSorted())
  })
})

test('docs/architecture.md lists the stages of a call as decide.ts does', () => {
  const source = readFileSync(resolve(root, 'src/core/decide/pipeline/decide.ts'), 'utf8')
  const stages = [...source.matchAll(/^ \* {3}((?:admit|answer) +\w+ -> .*)$/gm)].map((match) => match[1]!)
  expect(stages).toHaveLength(2)
  for (const line of stages) expect(pageText('docs/architecture.md')).toContain(`   ${line}\n`)
})

test('README.md shows what its two commands print', { timeout: 60_000 }, async () => {
  const [command = ''] = blocksOf('sh')
    .map(({ code }) => code.trim())
    .filter((code) => code.startsWith('npx api-mock'))
  const args = command.split(' ').slice(2)
  const program = spawn(process.execPath, ['--import', 'tsx', 'src/cli/main.ts', ...args, '--port', '0'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    let output = ''
    for await (const text of program.stdout.setEncoding('utf8')) {
      output += text
      if (output.includes('Ctrl-C')) break
    }
    const port = /127\.0\.0\.1:(\d+)/.exec(output)![1]!
    const banner = blocks.find(({ page, language }) => page === 'README.md' && language === 'text')!
    expect(output.replaceAll(`:${port}/`, ':4010/').trim()).toBe(banner.code.trim())

    const response = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-test', 'content-type': 'application/json' },
      body: /-d '(.*)'/.exec(banner.code)![1]!,
    })
    const shown = blocks.find(({ page, language }) => page === 'README.md' && language === 'json')!
    expect(await response.json()).toEqual(JSON.parse(shown.code))
  } finally {
    program.kill()
  }
})

test('docs/testing.md names the versions of the clients that are tested', () => {
  const rows = pageText('docs/testing.md').matchAll(
    /^\| `([^`]+)`(?: with `(ai)`)?[^|]*\| ([\d.]+)(?:, ([\d.]+))? \|/gm,
  )
  const named = [...rows].flatMap(([, one, other, version, otherVersion]) => [
    [one!, version!],
    ...(other === undefined ? [] : [[other, otherVersion!]]),
  ])
  const installed = named.map(([name]) => [name, installedVersion(name!)])
  expect(installed.map(([name, version]) => [name, version!.split('.').slice(0, 2).join('.')])).toEqual(named)
  expect(named.length).toBeGreaterThan(5)
})

const { packages } = JSON.parse(readFileSync(resolve(root, 'test/clients/package-lock.json'), 'utf8'))
const installedVersion = (name: string): string => packages[`node_modules/${name}`].version

test('docs/control-plane.md has every route of the control plane', () => {
  const source = ['routes', 'console-routes'].map((file) =>
    readFileSync(resolve(root, `src/server/${file}.ts`), 'utf8'),
  )
  const routes = [...source.join('\n').matchAll(/'(\/[a-z]+(?:\/[a-z]+)?)'/g)].map((match) => match[1]!)
  const page = pageText('docs/control-plane.md')
  // `/ready` is a route of the data plane.
  const others = ['/page', '/ready']
  const missing = [...new Set(routes)].filter((route) => !others.includes(route) && !page.includes(`/_mock${route}`))
  expect(missing).toEqual([])
  expect(routes.length).toBeGreaterThan(8)
})

test('docs/security.md has a row for each file of test/security, and no other', () => {
  const rows = [...pageText('docs/security.md').matchAll(/^\| .* \| `([\w-]+)` \|$/gm)].map((match) => match[1]!)
  const files = readdirSync(resolve(root, 'test/security')).filter((name) => name.endsWith('.test.ts'))
  expect(rows.toSorted()).toEqual(files.map((name) => name.replace('.test.ts', '')).toSorted())
})
