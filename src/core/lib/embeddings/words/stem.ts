/**
 * The stem of an English word: what its inflected forms have in common.
 *
 * Rules, in order: irregular forms from a list; plurals; -ed and -ing; -ly, -ment and -ion; a last silent e or l.
 * A stem need not be a word, it only has to be the same for all forms ('arrive', 'arrived', 'arriving' give 'arriv').
 * Words in other scripts or with other letters than a-z come back as they are.
 */
import { IRREGULAR_FORMS } from './word-lists.ts'

const NO_PLURALS = new Set(
  'news series species means always perhaps gas bias atlas canvas lens texas christmas'.split(' '),
)

const PLAIN = /^[a-z]*$/
const VOWEL = /[aeiouy]/
// One vowel in all, and one consonant after it: 'mak', 'clos'. English writes these with an e.
const SHORT_SYLLABLE = /^[^aeiouy]*[aeiouy][^aeiouywx]$/
const LOST_AN_E = /(?:[cuvz]|[aeiou]{2}s|dg)$/

// Set by the first `stem`: most servers start without an embedding to make.
let stemByForm: ReadonlyMap<string, string> | undefined

/**
 * The stem of a lower-case word.
 * @example stem('running') === stem('ran')
 */
export function stem(word: string): string {
  if (stemByForm === undefined) {
    const forms = IRREGULAR_FORMS.split('\n').map((line) => line.split(' '))
    stemByForm = new Map(forms.flatMap((all) => all.map((form) => [form, byRules(all[0]!)] as const)))
  }
  return stemByForm.get(word) ?? byRules(word)
}

/**
 * The stem of two words written as one, from their stems.
 * @example stemOfBoth('bird', 'cage') === stem('birdcage')
 */
export function stemOfBoth(first: string, second: string): string {
  return withoutSilentLetter(first + second)
}

function byRules(word: string): string {
  if (word.length < 4 || !PLAIN.test(word)) return word
  return withoutSilentLetter(withoutDerivation(withoutParticiple(withoutPlural(word))))
}

function withoutPlural(word: string): string {
  if (!word.endsWith('s') || /(?:ss|us|is)$/.test(word) || NO_PLURALS.has(word)) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  return /(?:ss|x|[cs]h|o)es$/.test(word) && word.length > 4 ? word.slice(0, -2) : word.slice(0, -1)
}

function withoutParticiple(word: string): string {
  if (word.endsWith('ied')) return `${word.slice(0, -3)}y`
  if (word.endsWith('eed')) return word.length > 5 ? word.slice(0, -1) : word
  const cut = word.endsWith('ing') ? 3 : word.endsWith('ed') ? 2 : 0
  const rest = word.slice(0, word.length - cut)
  if (cut === 0 || rest.length < 2 || !VOWEL.test(rest)) return word
  const last = rest.at(-1)!
  const isDoubled = last === rest.at(-2) && !VOWEL.test(last)
  if (isDoubled) return 'lsz'.includes(last) ? rest : rest.slice(0, -1)
  return SHORT_SYLLABLE.test(rest) || LOST_AN_E.test(rest) ? `${rest}e` : rest
}

function withoutDerivation(word: string): string {
  if (word.length >= 6 && word.endsWith('ily')) return `${word.slice(0, -3)}y`
  if (word.length >= 6 && word.endsWith('ly')) return word.slice(0, -2)
  if (word.length >= 9 && word.endsWith('ment')) return word.slice(0, -4)
  if (word.length >= 8 && /[st]ion$/.test(word)) return word.slice(0, -3)
  return word
}

// Only in long words, where no other word is near: 'plane' must not become 'plan'. Of two l, one may come from -ed.
function withoutSilentLetter(word: string): string {
  if (word.length < 6 || word.endsWith('ee')) return word
  return word.endsWith('e') || word.endsWith('ll') ? word.slice(0, -1) : word
}
