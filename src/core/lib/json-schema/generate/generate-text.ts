/** Generates a text: within its lengths, of its formats, matching its patterns, and otherwise as its name suggests. */
import type { Random } from '../../random/random.ts'
import { countCodePoints, type SchemaObject, Unsatisfied } from '../json-schema.ts'
import { writePatternText } from '../regex/write-pattern-text.ts'
import { hasFormat, SHORTEST, writeFormat } from '../text-formats.ts'
import { drawPropertyName, suggestFormat, suggestText, writePhrase } from './name-values.ts'
import { type PartsGenerator, readSizeRange, type SizeRange } from './value-request.ts'

const MAX_LENGTH = 20_000
const MAX_CANDIDATES = 60
/** After so many rejected texts, the words for one name are used up. */
const MAX_WORD_VARIATIONS = 3

export const generateText: PartsGenerator = (generator, parts, { name, path }, { attempt: variation }) => {
  const { random } = generator
  const { patterns } = generator.validator
  const lengths = readSizeRange(parts, 'Length', MAX_LENGTH, path)
  const { min, max } = lengths
  const formats = collectTexts(parts, 'format')
  const sources = collectTexts(parts, 'pattern')
  const isVaried = variation > MAX_WORD_VARIATIONS
  const fits = (text: string): boolean => {
    const length = countCodePoints(text)
    return (
      length >= min &&
      length <= max &&
      formats.every((format) => hasFormat(format, text)) &&
      sources.every((source) => patterns.matches(source, text, path))
    )
  }
  /** Writes a text that matches a pattern; undefined when its texts are too short or too long. */
  const matchPattern = (source: string, attempt: number): string | undefined => {
    const { tree } = patterns.compile(source, path)
    const { nodes, shortest, longest } = tree
    const isOpenAtStart = nodes[0]?.kind !== 'start'
    const isOpenAtEnd = nodes.at(-1)?.kind !== 'end'
    const least = Math.max(shortest, Math.min(min, longest))
    if (least > MAX_LENGTH || shortest > max) return undefined
    const most = Math.min(longest, max, Math.max(least, shortest + 4 + attempt))
    const target = least + random.below(most - least + 1)
    const variety = attempt > 16 && attempt % 4 === 3 ? 'odd' : attempt % 2 === 1 ? 'mixed' : 'plain'
    const text = writePatternText(tree, target, random, variety)
    const missing = min - countCodePoints(text)
    if (missing <= 0) {
      const isBeginning = isOpenAtEnd && (!isOpenAtStart || variation > 0) && attempt < 12
      return isBeginning ? text + drawPropertyName(random) : text
    }
    const more = random.alphanumeric(missing).toLowerCase()
    if (isOpenAtEnd) return text + more
    return isOpenAtStart ? more + text : text
  }
  /** The most readable text first: by the format or the name, cut or stretched; then by the patterns. */
  const writeCandidate = (attempt: number): string | undefined => {
    const format = formats[attempt % Math.max(1, formats.length)]
    const isForPattern = sources.length > 0 && (attempt > 3 || (attempt > 1 && format === undefined))
    if (isForPattern && (format === undefined || attempt % 2 === 0)) {
      if (sources.length === 1 || attempt % 3 !== 0) return matchPattern(sources[attempt % sources.length]!, attempt)
      // Beginnings first, endings last: texts that match one pattern each may together match all of them.
      const inOrder = [...sources].sort((left, right) => anchorRank(left) - anchorRank(right))
      return inOrder.map((source) => matchPattern(source, attempt)).join('')
    }
    // Beginnings and endings around a text of the format: an address that begins with a.
    if (isForPattern && format !== undefined && attempt > 40 && attempt % 3 === 2) {
      const match = (rank: number): string =>
        sources.map((source) => (anchorRank(source) === rank ? matchPattern(source, attempt) : undefined)).join('')
      return `${match(0)}${writeFormat(format, random, 0) ?? ''}${match(2)}`
    }
    if (format !== undefined) {
      const text = writeFormat(format, random, isVaried ? Math.min(max, min + 24 + random.below(9)) : min)
      if (text !== undefined) return countCodePoints(text) > max ? (SHORTEST[format] ?? text) : text
    }
    const usual = attempt > 0 ? undefined : suggestFormat(name)
    const suggested = usual === undefined ? undefined : writeFormat(usual, random, min)
    if (suggested !== undefined && countCodePoints(suggested) <= max) return suggested
    const text = suggestText(name, random)
    return fitLength(isVaried ? `${text} ${random.below(1000)}` : text, lengths, random)
  }
  for (let attempt = 0; attempt < MAX_CANDIDATES; attempt++) {
    const text = writeCandidate(attempt)
    if (text !== undefined && fits(text)) return text
  }
  const rules = [
    min > 0 ? `of ${min} characters or more` : '',
    Number.isFinite(max) ? `of ${max} characters or fewer` : '',
    formats.length > 0 ? `of the format ${formats.join(' and ')}` : '',
    sources.length > 0 ? `that matches ${sources.join(' and ').slice(0, 200)}` : '',
  ]
  throw new Unsatisfied(`no text found ${rules.filter((rule) => rule !== '').join(', ')}`, path)
}

const anchorRank = (source: string): number => (source.startsWith('^') ? 0 : source.endsWith('$') ? 2 : 1)

const collectTexts = (parts: readonly SchemaObject[], keyword: string): string[] => [
  ...new Set(parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword] as string]))),
]

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
