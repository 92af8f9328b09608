/** Plain command lines, which are read without yargs: yargs reads the same from them. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { COMMANDS, type Command } from '../../src/cli/args/command-table.ts'
import { type Given, readPlainLine } from '../../src/cli/args/plain-line.ts'
import { createParser } from '../../src/cli/args/yargs-line.ts'

const START = COMMANDS[0]!
const value = fc.constantFrom(
  ...['default', '4010', '1.0', 'a b', 'x=y', 'a\nb', '', '-5', '"q"', "it's", 'help', 'run'],
)
const tail = fc.constantFrom<string[][]>(
  [],
  ['--'],
  ['--', 'npm', 'test'],
  ['--', 'printf', '1.0', '--', '--port', '-h'],
)

/** Lines of one command, most of them plain. */
function linesOf({ options }: Command, name: readonly string[]): fc.Arbitrary<string[]> {
  const all = Object.entries(options)
  const texts = all.filter(([, { type }]) => type === 'string').map(([option]) => `--${option}`)
  const flags = all.filter(([, { type }]) => type === 'boolean').map(([option]) => `--${option}`)
  const option = fc.oneof(
    fc.tuple(fc.constantFrom(...texts, '--seed'), value),
    fc.tuple(fc.constantFrom(...texts, '--seed'), value).map(([one, text]) => [`${one}=${text}`]),
    fc.constantFrom(...flags, '--watch').map((flag) => [flag]),
  )
  return fc.tuple(fc.array(option, { maxLength: 4 }), tail).map(([given, end]) => [...name, ...given.flat(), ...end])
}
const line = fc.oneof(
  linesOf(START, []),
  ...COMMANDS.filter(({ argument }) => argument === undefined).map((one) => linesOf(one, [one.name])),
)

test('a plain line is read as yargs reads it', async () => {
  let plainLines = 0
  const property = fc.asyncProperty(line, async (args) => {
    const plain = readPlainLine(args)
    if (plain === undefined) return
    let read: [string, Given] | undefined
    let entered = ''
    const enter = ({ name }: Command): void => {
      entered = name
    }
    const parser = await createParser(args, enter, (given) => {
      read = [entered, given]
    })
    await parser
      .fail((message, error) => {
        throw error ?? new Error(message)
      })
      .parseAsync()
    const [command, { _: words, $0: program, ...given }] = read!
    const texts = (all: Given): unknown =>
      Object.fromEntries(Object.entries(all).map(([name, one]) => [name, one === undefined ? [] : [one].flat()]))
    expect({ '--': [], ...(texts(plain.given) as object) }).toEqual({ '--': [], ...(texts(given) as object) })
    expect([plain.command.name, words]).toEqual([command, args[0] === command ? [command] : []])
    plainLines++
  })
  await fc.assert(property, { numRuns: 150 })
  expect(plainLines).toBeGreaterThan(30)
})

test.each([[[]], [['--port', '0', '--watch']], [['run', '--log=json', '--', 'npm', 'test']]])('%j is plain', (args) => {
  expect(readPlainLine(args)).toBeDefined()
})

test.each([
  [['--help']],
  [['list', 'help']],
  [['--seed', 'help']],
  [['--port']],
  [['--port', '-5']],
  [['--seed=']],
  [['--seed', "'7'"]],
  [['--watch=false']],
  [['--watch', 'false']],
  [['--toString']],
  [['--', 'npm', 'test']],
  [['check', 'a.yaml']],
  [['rnu']],
])('%j is left to yargs', (args) => {
  expect(readPlainLine(args)).toBeUndefined()
})
