/** Every option that a message, a help text or a comment of the program names exists. */
import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { COMMANDS } from '../../src/cli/args/command-table.ts'

const root = resolve(import.meta.dirname, '../../src')
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => [file, readFileSync(resolve(root, file), 'utf8')] as const)

// `--help` is an option of every command, the last one of yargs.
const COMMON = ['--help', '--version', '--get-yargs-completions']
// Of curl and Node, and a name that yargs cannot read.
const OTHERS = ['--data-binary', '--import', '--toString']

const optionsOf = (command: string): string[] =>
  Object.keys(COMMANDS.find(({ name }) => name === command)?.options ?? {}).map((name) => `--${name}`)

/** Not a decrement, `--this.#size`, or a variable of CSS, `var(--text)`. */
const namedIn = (text: string): string[] => text.match(/(?<![\w-]|var\()--(?!this\.)[a-z][\w-]*\w/g) ?? []

test('every option that the sources name is one of a command', () => {
  const known = new Set([...COMMANDS.flatMap(({ name }) => optionsOf(name)), ...COMMON, ...OTHERS])
  const named = files.flatMap(([file, text]) => namedIn(text).map((option) => ({ file, option })))
  expect(named.filter(({ option }) => !known.has(option))).toEqual([])
  expect(named.length).toBeGreaterThan(30)
})

test('every option that the sources name after a command is one of that command', () => {
  const names = COMMANDS.map(({ name }) => name).join('|')
  const lines = files.flatMap(([file, text]) =>
    [...text.matchAll(new RegExp(`api-mock (?:(${names}) |(?=--))([^\`'"\\n]*)`, 'g'))].map(
      ([line, command = 'start', rest = '']) => ({ file, line, command, rest }),
    ),
  )
  const wrong = lines.filter(({ command, rest }) =>
    namedIn(rest.split(' -- ')[0]!).some((option) => ![...optionsOf(command), ...COMMON].includes(option)),
  )
  expect(wrong).toEqual([])
  expect(lines.length).toBeGreaterThan(10)
})
