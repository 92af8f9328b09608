/** Generates a text: within its lengths, of its formats, matching its patterns, and otherwise as its name suggests. */
import type { Random } from '../../random/random.ts'
import { findFormat, hasFormat } from '../formats.ts'
import { measureLengths, writeRegexText } from '../regex/generate-text.ts'
import type { RegexNode } from '../regex/parse.ts'
import type { Patterns } from '../regex/patterns.ts'
import { countCodePoints, type SchemaObject, Unsatisfied } from '../schema.ts'
import { drawPropertyName, suggestFormat, suggestText, writePhrase } from './name-values.ts'
import { readSizeRange, type SizeRange } from './size-range.ts'

const MAX_LENGTH = 20_000
const MAX_CANDIDATES = 60
/** After so many rejected texts, the words for one name are used up. */
const MAX_WORD_VARIATIONS = 3

export interface TextContext {
  /** The name of the property. */
  readonly name: string
  readonly patterns: Patterns
  readonly random: Random
  readonly path: string
  /** How many texts were rejected before. */
  readonly variation: number
}

/** Throws `Unsatisfied` when no text is found. */
export function generateString(parts: readonly SchemaObject[], context: TextContext): string {
  const { patterns, path } = context
  const lengths = readSizeRange(parts, 'Length', MAX_LENGTH, path)
  const formats = collectValues(parts, 'format')
  const sources = collectValues(parts, 'pattern')
  const fits = (text: string): boolean => {
    const length = countCodePoints(text)
    return (
      length >= lengths.min &&
      length <= lengths.max &&
      formats.every((format) => hasFormat(format, text)) &&
      sources.every((source) => patterns.matches(source, text, path))
    )
  }
  const request: TextRequest = { ...context, lengths, formats, sources }
  for (let attempt = 0; attempt < MAX_CANDIDATES; attempt++) {
    const text = writeCandidate(attempt, request)
    if (text !== undefined && fits(text)) return text
  }
  throw new Unsatisfied(`no text found ${describe(lengths, formats, sources)}`, path)
}

interface TextRequest extends TextContext {
  readonly lengths: SizeRange
  readonly formats: readonly string[]
  /** The patterns, as written. */
  readonly sources: readonly string[]
}

const byAnchor = (left: string, right: string): number => anchorRank(left) - anchorRank(right)
const anchorRank = (source: string): number => (source.startsWith('^') ? 0 : source.endsWith('$') ? 2 : 1)

/** The most readable text first: by the format or the name, cut or stretched; then by the patterns. */
function writeCandidate(attempt: number, request: TextRequest): string | undefined {
  const { lengths, formats, sources, name, patterns, random, path } = request
  const format = formats[attempt % Math.max(1, formats.length)]
  const isForPattern = sources.length > 0 && (attempt > 3 || (attempt > 1 && format === undefined))
  if (isForPattern && (format === undefined || attempt % 2 === 0)) {
    const write = (source: string): string | undefined =>
      writePatternText(patterns.nodes(source, path), lengths, random, attempt, request.variation)
    // Beginnings first, endings last: texts that match one pattern each may together match all of them.
    if (sources.length > 1 && attempt % 3 === 0) return [...sources].sort(byAnchor).map(write).join('')
    return write(sources[attempt % sources.length]!)
  }
  if (format !== undefined) {
    const length =
      request.variation > MAX_WORD_VARIATIONS ? Math.min(lengths.max, lengths.min + 24 + random.below(9)) : lengths.min
    const found = findFormat(format)
    // An unknown format is only an annotation.
    if (found !== undefined) {
      const text = found.write(random, length)
      return countCodePoints(text) > lengths.max ? (found.shortest ?? text) : text
    }
  }
  const usual = suggestFormat(name)
  const suggested = usual === undefined || attempt > 0 ? undefined : findFormat(usual)?.write(random, lengths.min)
  if (suggested !== undefined && countCodePoints(suggested) <= lengths.max) return suggested
  const text = suggestText(name, random)
  return fitLength(request.variation > MAX_WORD_VARIATIONS ? `${text} ${random.below(1000)}` : text, lengths, random)
}

function writePatternText(
  nodes: readonly RegexNode[],
  lengths: SizeRange,
  random: Random,
  attempt: number,
  variation: number,
): string | undefined {
  const whole = { kind: 'sequence', nodes } as const
  const natural = measureLengths(whole)
  const isOpenAtStart = nodes[0]?.kind !== 'start'
  const isOpenAtEnd = nodes.at(-1)?.kind !== 'end'
  const least = Math.max(natural.min, Math.min(lengths.min, natural.max))
  if (least > MAX_LENGTH || natural.min > lengths.max) return undefined
  const most = Math.min(natural.max, lengths.max, Math.max(least, natural.min + 4 + attempt))
  const target = least + random.below(most - least + 1)
  const text = writeRegexText(
    whole,
    target,
    random,
    attempt > 16 && attempt % 4 === 3 ? 'odd' : attempt % 2 === 1 ? 'mixed' : 'plain',
  )
  const missing = lengths.min - countCodePoints(text)
  if (missing <= 0) {
    const isBeginning = isOpenAtEnd && (!isOpenAtStart || variation > 0) && attempt < 12
    return isBeginning ? text + drawPropertyName(random) : text
  }
  const more = random.alphanumeric(missing).toLowerCase()
  if (isOpenAtEnd) return text + more
  return isOpenAtStart ? more + text : text
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
  const end = Math.max(min, Math.min(max, whole.length))
  const cut = whole.slice(0, end)
  const tidy = cut.trimEnd()
  return tidy.length >= min ? tidy : `${tidy}${'s'.repeat(min - tidy.length)}`
}

const collectValues = (parts: readonly SchemaObject[], keyword: string): string[] => [
  ...new Set(parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword] as string]))),
]

function describe({ min, max }: SizeRange, formats: readonly string[], sources: readonly string[]): string {
  const words = [
    min > 0 ? `of ${min} characters or more` : '',
    Number.isFinite(max) ? `of ${max} characters or fewer` : '',
    formats.length > 0 ? `of the format ${formats.join(' and ')}` : '',
    sources.length > 0 ? `that matches ${sources.join(' and ').slice(0, 200)}` : '',
  ]
  return words.filter((word) => word !== '').join(', ')
}
