/** A text within its lengths, of its formats, matching its patterns, and else what its name suggests. */
import type { Random } from '../../random/random.ts'
import { lengthsOf, writeRegexText } from '../regex/generate-text.ts'
import type { Patterns } from '../regex/pattern.ts'
import { codePoints, type SchemaObject, SchemaProblem, Unsatisfied } from '../schema.ts'
import { hasFormat } from '../validate/formats.ts'
import { SHORTEST, textOfFormat } from './format-values.ts'
import { filler, formatOfName, propertyName, textOfName } from './name-values.ts'

const MAX_LENGTH = 20_000
const TRIES = 60
// After so many texts that were not wanted, the words of one name are used up.
const MANY_VARIATIONS = 3

interface Lengths {
  readonly min: number
  readonly max: number
}

/** Throws `Unsatisfied` when none is found. With a `variation` above 0, the obvious text was not wanted. */
export function makeString(
  parts: readonly SchemaObject[],
  name: string,
  patterns: Patterns,
  random: Random,
  path: string,
  variation: number,
): string {
  const lengths = lengthsOfAll(parts, path)
  const formats = valuesOf(parts, 'format')
  const sources = valuesOf(parts, 'pattern')
  const fits = (text: string): boolean => {
    const length = codePoints(text)
    return (
      length >= lengths.min &&
      length <= lengths.max &&
      formats.every((format) => hasFormat(format, text)) &&
      sources.every((source) => patterns.matches(source, text, path))
    )
  }
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const text = candidate(attempt, { lengths, formats, sources, name, patterns, random, path, variation })
    if (text !== undefined && fits(text)) return text
  }
  throw new Unsatisfied(`no text found ${described(lengths, formats, sources)}`, path)
}

interface Wish {
  readonly lengths: Lengths
  readonly formats: readonly string[]
  readonly sources: readonly string[]
  readonly name: string
  readonly patterns: Patterns
  readonly random: Random
  readonly path: string
  readonly variation: number
}

const byPlace = (left: string, right: string): number => placeOf(left) - placeOf(right)
const placeOf = (source: string): number => (source.startsWith('^') ? 0 : source.endsWith('$') ? 2 : 1)

/** The most readable first: what the format or the name says, cut or stretched; then what the patterns say. */
function candidate(attempt: number, wish: Wish): string | undefined {
  const { lengths, formats, sources, name, patterns, random, path } = wish
  const format = formats[attempt % Math.max(1, formats.length)]
  const isForPattern = sources.length > 0 && (attempt > 3 || (attempt > 1 && format === undefined))
  if (isForPattern && (format === undefined || attempt % 2 === 0)) {
    const write = (source: string): string | undefined =>
      textOfPattern(patterns.nodes(source, path), lengths, random, attempt, wish.variation)
    // Beginnings first, endings last: texts that meet one pattern each may meet all of them in a row.
    if (sources.length > 1 && attempt % 3 === 0) return [...sources].sort(byPlace).map(write).join('')
    return write(sources[attempt % sources.length]!)
  }
  if (format !== undefined) {
    const length =
      wish.variation > MANY_VARIATIONS ? Math.min(lengths.max, lengths.min + 24 + random.below(9)) : lengths.min
    const text = textOfFormat(format, random, length)
    if (text !== undefined && codePoints(text) > lengths.max) return SHORTEST[format] ?? text
    // An unknown format says something to people only.
    if (text !== undefined) return text
  }
  const custom = formatOfName(name)
  const suggested = custom === undefined || attempt > 0 ? undefined : textOfFormat(custom, random, lengths.min)
  if (suggested !== undefined && codePoints(suggested) <= lengths.max) return suggested
  const text = textOfName(name, random)
  return sized(wish.variation > MANY_VARIATIONS ? `${text} ${random.below(1000)}` : text, lengths, random)
}

function textOfPattern(
  nodes: Parameters<typeof lengthsOf>[0] extends infer Node ? readonly Node[] : never,
  lengths: Lengths,
  random: Random,
  attempt: number,
  variation: number,
): string | undefined {
  const whole = { kind: 'sequence', nodes } as const
  const natural = lengthsOf(whole)
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
  const missing = lengths.min - codePoints(text)
  if (missing <= 0) {
    const isBeginning = isOpenAtEnd && (!isOpenAtStart || variation > 0) && attempt < 12
    return isBeginning ? text + propertyName(random) : text
  }
  const more = random.alphanumeric(missing).toLowerCase()
  if (isOpenAtEnd) return text + more
  return isOpenAtStart ? more + text : text
}

/** Cuts or stretches a text, and leaves no space at its ends. */
function sized(text: string, { min, max }: Lengths, random: Random): string {
  let whole = text
  for (let length = codePoints(text); length < min; ) {
    const more = ` ${filler(random)}`
    whole += more
    length += more.length
  }
  if (codePoints(whole) <= max) return whole
  const end = Math.max(min, Math.min(max, whole.length))
  const cut = whole.slice(0, end)
  const tidy = cut.trimEnd()
  return tidy.length >= min ? tidy : `${tidy}${'s'.repeat(min - tidy.length)}`
}

function lengthsOfAll(parts: readonly SchemaObject[], path: string): Lengths {
  let [min, max] = [0, Number.POSITIVE_INFINITY]
  for (const { minLength, maxLength } of parts) {
    if (minLength !== undefined) min = Math.max(min, minLength as number)
    if (maxLength !== undefined) max = Math.min(max, maxLength as number)
  }
  if (min > max) throw new Unsatisfied(`minLength ${min} is above maxLength ${max}`, path)
  if (min > MAX_LENGTH) throw new SchemaProblem(`minLength ${min} is above the ${MAX_LENGTH} that are made`, path)
  return { min, max }
}

const valuesOf = (parts: readonly SchemaObject[], keyword: string): string[] => [
  ...new Set(parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword] as string]))),
]

function described({ min, max }: Lengths, formats: readonly string[], sources: readonly string[]): string {
  const words = [
    min > 0 ? `of ${min} characters or more` : '',
    Number.isFinite(max) ? `of ${max} characters or fewer` : '',
    formats.length > 0 ? `of the format ${formats.join(' and ')}` : '',
    sources.length > 0 ? `that matches ${sources.join(' and ').slice(0, 200)}` : '',
  ]
  return words.filter((word) => word !== '').join(', ')
}
