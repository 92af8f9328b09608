/** Texts of every kind for the tests of the tokenizer: the same on every run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import fc from 'fast-check'
import { Random } from '../../../../src/core/lib/random/random.ts'

const root = resolve(import.meta.dirname, '../../../..')
const random = new Random('tokenizer corpus')
const below = (bound: number): number => random.below(bound)
const repeat = (count: number, make: () => string): string => Array.from({ length: count }, make).join('')
const oneOf = (parts: readonly string[]): string => parts[below(parts.length)]!

const SPACES = [' ', '  ', '\t', '\n', '\r\n', '\n\n', '\u00A0', '\u3000', '\u2028', '\u0085', '\v']
const EMOJI = ['😀', '👍🏽', '👨‍👩‍👧‍👦', '🏳️‍🌈', '🇳🇴', '❤️', '1️⃣', '🧑🏿‍🚀', '☃']
const SPECIAL = ['<|endoftext|>', '<|fim_prefix|>', '<|im_start|>', '<|endofprompt|>', '<|', '|>']
const WORDS = [
  "it's",
  "THEY'LL",
  "l'été",
  'camelCase',
  'HTTPServer',
  'ǅungla',
  'naïve',
  'straße',
  'don’t',
  "'sample",
  'ＡＢc',
]
const SIGNS = [
  '//',
  '/*',
  '==',
  '...',
  '-',
  "'",
  '"',
  '\\n',
  '{}',
  ' => ',
  ' (',
  '$',
  '€',
  '\u0301',
  '\u200D',
  '\uFE0F',
]
const NUMBERS = ['7', '42', '12345', '3.14', '½', 'Ⅻ', '٣', '𝟘']
const SURROGATES = ['\uD83D', '\uDE00', '\uDE00\uD83D']

/** Characters of all scripts in words of up to nine. A byte order mark is a token of its own that the judge never makes. */
function everyScript(): string {
  let text = ''
  for (let codePoint = 0x21; codePoint < 0x20000; codePoint += codePoint < 0x3400 ? 1 : 1 + below(9)) {
    const character = String.fromCodePoint(codePoint)
    if (!/[\p{Cn}\p{Cs}\p{Co}\uFEFF]/u.test(character)) text += below(6) === 0 ? `${character} ` : character
  }
  return text
}

/** All files with an extension in a folder of this project. */
const filesIn = (folder: string, extension: string): string =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .map((file) => readFileSync(join(root, folder, file), 'utf8'))
    .join('\n')

const bytes = (count: number): Buffer => Buffer.from(Array.from({ length: count }, () => below(256)))

export const corpus: Readonly<Record<string, string>> = {
  'an empty text': '',
  'every script': everyScript(),
  code: filesIn('src/core/lib/json-schema', '.ts'),
  prose: filesIn('docs', '.md'),
  YAML: filesIn('scenarios', '.yaml'),
  emoji: repeat(1000, () => oneOf([...EMOJI, ...EMOJI, ' '])),
  numbers: repeat(1000, () => oneOf([...NUMBERS, ' ', ','])),
  spaces: repeat(3000, () => oneOf([...SPACES, ...SPACES, 'a', '1', '/'])),
  'signs and words': repeat(3000, () => oneOf([...SIGNS, ...WORDS, ...SPACES])),
  'special tokens': repeat(500, () => oneOf([...SPECIAL, ' ', 'a'])),
  'lone surrogates': repeat(500, () => oneOf([...SURROGATES, 'a', ' ', '😀'])),
  'random bytes': bytes(20_000).toString('latin1'),
  'random bytes as UTF-8': bytes(20_000).toString('utf8'),
  'random letters': repeat(3000, () => String.fromCharCode(0x61 + below(26))),
  'a word of 9,000 random letters': repeat(9000, () => String.fromCharCode(0x61 + below(26))),
  'a word of 5,000 random characters': repeat(5000, () => String.fromCharCode(0x4e00 + below(0x5000))),
  'a word of 9,000 characters with tokens of several sizes': repeat(3000, () =>
    oneOf(['the', 'ing', 'n', '世界', 'é']),
  ),
  'random capitals and letters': repeat(3000, () => oneOf(['a', 'B', 'é', 'Ж', '世', 'ʰ', '\u0301'])),
  'long runs': ['a', 'A', 'aB', '-', '\n', ' ', '世', '\u0301', '😀', '9', "'s"]
    .map((unit) => `${unit.repeat(1000)}!`)
    .join(' '),
}

const fragment = fc.constantFrom(...SPACES, ...EMOJI, ...SPECIAL, ...WORDS, ...SIGNS, ...NUMBERS, ...SURROGATES)

/** Texts for properties: characters of all kinds, and fragments next to each other. */
export const texts: fc.Arbitrary<string> = fc
  .oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.string({ unit: fragment, maxLength: 30 }),
    fc.string({ unit: fc.oneof(fragment, fc.string({ unit: 'grapheme', maxLength: 4 })), maxLength: 20 }),
  )
  .map((text) => text.replaceAll('\uFEFF', ''))
