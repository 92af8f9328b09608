/**
 * Generates a text: within its lengths, of its formats, matching its patterns, and otherwise as its name suggests.
 *
 * Candidates are written, the most readable first, until one fits all of these rules.
 */
import type { Random } from '../../random/random.ts'
import { countCodePoints, NotFound, type SchemaObject } from '../json-schema.ts'
import { readSizeRange, type SizeRange } from '../keywords.ts'
import { writePatternText } from '../regex/write-pattern-text.ts'
import { hasFormat, OTHER_TEXTS, writeFormat } from '../text-formats.ts'
import { drawPropertyName, suggestFormat, suggestText, writePhrase } from './name-values.ts'
import type { PartsGenerator } from './value-request.ts'

const MAX_LENGTH = 20_000
const MAX_CANDIDATES = 60
/** Texts for the last attempt to cut. */
const FILLERS = ['x', 'X', '7', '-'].map((character) => character.repeat(40))
/** After so many rejected texts, the words for one name are used up. */
const MAX_WORD_VARIATIONS = 3

export const generateText: PartsGenerator = (generator, parts, request, { attempt: variation }) => {
  const { name, path } = request
  const { random } = generator
  const { patterns } = generator.validator
  const lengths = readSizeRange(parts, 'Length', MAX_LENGTH, path)
  const { min, max } = lengths
  const formats = collectTexts(parts, 'format')
  const sources = collectTexts(parts, 'pattern')
  const isVaried = variation > MAX_WORD_VARIATIONS
  const fits = (text: string): boolean => {
    const length = countCodePoints(text)
    const isWithin = length >= min && length <= max
    const isFormatted = isWithin && formats.every((format) => hasFormat(format, text))
    const isMatch = isFormatted && sources.every((source) => patterns.matches(source, text, path) !== false)
    return isMatch && (!generator.isLast || generator.findProblem(request, text) === undefined)
  }

  /** Writes a text that matches a pattern; undefined when its texts are too short or too long. */
  const matchPattern = (source: string, candidate: number): string | undefined => {
    const { tree } = patterns.compile(source, path)
    if (tree === undefined) return undefined
    const { nodes, shortest, longest } = tree
    const isOpenAtStart = nodes[0]?.kind !== 'start'
    const isOpenAtEnd = nodes.at(-1)?.kind !== 'end'
    const least = Math.max(shortest, Math.min(min, longest))
    if (least > MAX_LENGTH || shortest > max) return undefined
    const isShort = generator.isLast && candidate > MAX_CANDIDATES / 2
    const most = isShort ? least : Math.min(longest, max, Math.max(least, shortest + 4 + candidate))
    const target = least + random.below(most - least + 1)
    const variety = candidate > 16 && candidate % 4 === 3 ? 'odd' : candidate % 2 === 1 ? 'mixed' : 'plain'
    const text = writePatternText(tree, target, random, variety)
    const missing = min - countCodePoints(text)
    if (missing <= 0) {
      const isBeginning = isOpenAtEnd && (!isOpenAtStart || variation > 0) && candidate < 12
      return isBeginning ? text + drawPropertyName(random) : text
    }
    const more = random.alphanumeric(missing).toLowerCase()
    if (isOpenAtEnd) return text + more
    return isOpenAtStart ? more + text : text
  }
  const matchAll = (some: readonly string[], candidate: number): string =>
    some.map((source) => matchPattern(source, candidate)).join('')
  // Texts that match one pattern each may together match all of them, beginnings first and endings last.
  const beginnings = sources.filter((source) => source.startsWith('^'))
  const endings = sources.filter((source) => !source.startsWith('^') && source.endsWith('$'))
  const inOrder = [...new Set([...beginnings, ...sources.filter((source) => !endings.includes(source)), ...endings])]

  /** Writes by the format or the name first; by patterns from the third candidate on, or from the fifth with a format. */
  const writeCandidate = (candidate: number): string | undefined => {
    const format = formats[candidate % Math.max(1, formats.length)]
    const isByPattern = sources.length > 0 && candidate > (format === undefined ? 1 : 3)
    if (isByPattern && (format === undefined || candidate % 2 === 0)) {
      if (sources.length > 1 && candidate % 3 === 0) return matchAll(inOrder, candidate)
      return matchPattern(sources[candidate % sources.length]!, candidate)
    }
    // Beginnings and endings around a text of the format: an address that ends with .org.
    if (isByPattern && format !== undefined && candidate > 40 && candidate % 3 === 2) {
      const beginning = matchAll(beginnings, candidate)
      return `${beginning}${writeFormat(format, random, 0) ?? ''}${matchAll(endings, candidate)}`
    }
    if (format !== undefined) {
      const text = writeFormat(format, random, isVaried ? Math.min(max, min + 24 + random.below(9)) : min)
      if (text !== undefined) return countCodePoints(text) > max ? (OTHER_TEXTS[format] ?? text) : text
    }
    const usual = candidate > 0 ? undefined : suggestFormat(name)
    const suggested = usual === undefined ? undefined : writeFormat(usual, random, min)
    if (suggested !== undefined && countCodePoints(suggested) <= max) return suggested
    const text = suggestText(name, random)
    return fitLength(isVaried ? `${text} ${random.below(1000)}` : text, lengths, random)
  }

  const tried: string[] = []
  for (let candidate = 0; candidate < MAX_CANDIDATES; candidate++) {
    const text = writeCandidate(candidate)
    if (text === undefined) continue
    if (fits(text)) return text
    tried.push(text)
  }
  if (generator.isLast && variation === 0) {
    const usual = [...formats.flatMap((format) => OTHER_TEXTS[format] ?? []), ...tried.slice(0, 2)]
    const parts = sources.length > 0 ? tried.slice(-8) : []
    for (const text of joinTexts([...usual, ...FILLERS], ['', ...parts])) if (fits(text)) return text
  }
  const rules = [
    min > 0 ? `of ${min} characters or more` : '',
    Number.isFinite(max) ? `of ${max} characters or fewer` : '',
    formats.length > 0 ? `of the format ${formats.join(' and ')}` : '',
    sources.length > 0 ? `that matches ${sources.join(' and ').slice(0, 200)}` : '',
  ]
  throw new NotFound(`no text found ${rules.filter((rule) => rule !== '').join(', ')}`, path, tried[0])
}

const collectTexts = (parts: readonly SchemaObject[], keyword: string): string[] => [
  ...new Set(parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword] as string]))),
]

/** The beginnings and ends of texts with a part added, such as the domain of an address. */
function* joinTexts(texts: readonly string[], parts: readonly string[]): Iterable<string> {
  for (const part of new Set(parts)) {
    for (const text of texts) {
      const whole = text.slice(0, 60)
      for (let at = whole.length; at >= 0; at--) yield* [whole.slice(0, at) + part, part + whole.slice(at)]
    }
  }
}

/** Cuts or stretches a text, without a space at its end. */
function fitLength(text: string, { min, max }: SizeRange, random: Random): string {
  let whole = text
  for (let length = countCodePoints(text); length < min; ) {
    const more = ` ${writePhrase(random)}`
    whole += more
    length += more.length
  }
  if (countCodePoints(whole) <= max) return whole
  const tidy = whole.slice(0, Math.max(min, Math.min(max, whole.length))).trimEnd()
  return tidy.padEnd(min, 's')
}
