/**
 * Generates a text: within its lengths, of its formats, matching its patterns, and otherwise as its name suggests.
 *
 *     { format: 'email', pattern: '[.]org$' }   ->   garden@example.com.org
 *
 * Candidates are written, the most readable first, until one keeps all of these rules. `chooseWay` has their order. Two loops
 * are around them: an `attempt` is one call of this generator for the same value, and the last run (`isLastRun`) generates the
 * whole value once more after none was found.
 *
 * The bare numbers below follow from no rule. They decide which text a seed gives, which must not change, and how early an
 * unusual text is tried.
 */
import { NotFound, type SchemaObject } from '../json-schema.ts'
import { countCodePoints } from '../json-values.ts'
import { readSizeRange, type SizeRange } from '../keywords.ts'
import { writePatternText } from '../regex/write-pattern-text.ts'
import { hasFormat, OTHER_TEXTS, writeFormat } from '../text-formats.ts'
import { drawPropertyName, suggestFormat, suggestText, writePhrase } from './name-values.ts'
import type { PartsGenerator, ValueGenerator, ValueRequest } from './value-request.ts'

const MAX_LENGTH = 20_000
const MAX_CANDIDATES = 60
/** After so many attempts, the words for one name are used up. */
const MAX_WORD_VARIATIONS = 3
/** Texts for the last run to cut. */
const FILLERS = ['x', 'X', '7', '-'].map((character) => character.repeat(40))

/** The request for one text, and the rules that it must keep. */
interface TextTask {
  readonly generator: ValueGenerator
  readonly request: ValueRequest
  readonly attempt: number
  /** The allowed lengths, in code points. */
  readonly lengths: SizeRange
  readonly formats: readonly string[]
  readonly patterns: readonly string[]
}

export const generateText: PartsGenerator = (generator, parts, request, { attempt }) => {
  const lengths = readSizeRange(parts, 'Length', MAX_LENGTH, request.path)
  const formats = collectTexts(parts, 'format')
  const patterns = collectTexts(parts, 'pattern')
  const task: TextTask = { generator, request, attempt, lengths, formats, patterns }
  const rejected: string[] = []
  for (let candidate = 0; candidate < MAX_CANDIDATES; candidate++) {
    const text = writeCandidate(task, candidate)
    if (text === undefined) continue
    if (isValid(task, text)) return text
    rejected.push(text)
  }
  if (generator.isLastRun && attempt === 0) {
    for (const text of combineTexts(task, rejected)) if (isValid(task, text)) return text
  }
  const rules = [
    lengths.min > 0 ? `of ${lengths.min} characters or more` : '',
    Number.isFinite(lengths.max) ? `of ${lengths.max} characters or fewer` : '',
    formats.length > 0 ? `of the format ${formats.join(' and ')}` : '',
    patterns.length > 0 ? `that matches ${patterns.join(' and ').slice(0, 200)}` : '',
  ]
  throw new NotFound(`no text found ${rules.filter((rule) => rule !== '').join(', ')}`, request.path, rejected[0])
}

/** The texts of a keyword, without repetitions. */
const collectTexts = (parts: readonly SchemaObject[], keyword: string): string[] => [
  ...new Set(parts.flatMap((part) => (part[keyword] === undefined ? [] : [part[keyword] as string]))),
]

function isValid({ generator, request, lengths, formats, patterns }: TextTask, text: string): boolean {
  const length = countCodePoints(text)
  if (length < lengths.min || length > lengths.max) return false
  if (!formats.every((format) => hasFormat(format, text))) return false
  const matcher = generator.validator.patterns
  if (!patterns.every((pattern) => matcher.matches(pattern, text, request.path) !== false)) return false
  return !generator.isLastRun || generator.findProblem(request, text) === undefined
}

type Way = 'name' | 'format' | 'pattern' | 'all patterns' | 'format between patterns'

/**
 * The way to write a candidate. The first ones are the most readable; the last ones combine rules that seldom fit together.
 *
 *     no pattern                    each             format, or without one name
 *     patterns                      0, 1             name                       `q`: `quiet river`
 *                                   3, 6, 9...       all patterns, if several   `^a` and `z$`: `astationz`
 *                                   others           pattern                    `^a`: `abicycle`
 *     patterns and formats          0 to 3, odd      format                     `@`: `clock@example.com`
 *                                   6, 12, 18...     all patterns, if several
 *                                   other even       pattern
 *                                   41, 47, 53, 59   format between patterns    `^x`: `xclock@example.com`
 */
function chooseWay(candidate: number, hasFormat: boolean, patternCount: number): Way {
  if (patternCount === 0 || candidate < (hasFormat ? 4 : 2)) return hasFormat ? 'format' : 'name'
  // With a format, every second candidate is written by the patterns alone.
  if (!hasFormat || candidate % 2 === 0) return patternCount > 1 && candidate % 3 === 0 ? 'all patterns' : 'pattern'
  return candidate > 40 && candidate % 3 === 2 ? 'format between patterns' : 'format'
}

/** Writes a text that may keep the rules; undefined when the texts of a pattern are too short or too long. */
function writeCandidate(task: TextTask, candidate: number): string | undefined {
  const { generator, formats, patterns } = task
  const format = formats[candidate % Math.max(1, formats.length)]
  const way = chooseWay(candidate, format !== undefined, patterns.length)
  switch (way) {
    case 'name':
      return writeByName(task, candidate)
    case 'format':
      // An unknown format is only an annotation, so the name decides.
      return writeByFormat(task, format!) ?? writeByName(task, candidate)
    case 'pattern':
      return writeByPattern(task, patterns[candidate % patterns.length]!, candidate)
    case 'all patterns':
    case 'format between patterns': {
      // Texts that match one pattern each may together match all of them, beginnings first and endings last.
      const beginnings = patterns.filter((pattern) => pattern.startsWith('^'))
      const endings = patterns.filter((pattern) => !pattern.startsWith('^') && pattern.endsWith('$'))
      const others = patterns.filter((pattern) => !beginnings.includes(pattern) && !endings.includes(pattern))
      const join = (some: readonly string[]): string =>
        some.map((pattern) => writeByPattern(task, pattern, candidate)).join('')
      const start = join(beginnings)
      const middle = way === 'all patterns' ? join(others) : (writeFormat(format!, generator.random, 0) ?? '')
      return start + middle + join(endings)
    }
    default:
      return way satisfies never
  }
}

/** Writes a text of a format; undefined for an unknown format. */
function writeByFormat({ generator, attempt, lengths: { min, max } }: TextTask, format: string): string | undefined {
  const { random } = generator
  const least = attempt > MAX_WORD_VARIATIONS ? Math.min(max, min + 24 + random.below(9)) : min
  const text = writeFormat(format, random, least)
  return text !== undefined && countCodePoints(text) > max ? (OTHER_TEXTS[format] ?? text) : text
}

/** Writes a text that the name of the property suggests: at first one of a format, as for `created_at`. */
function writeByName({ generator, request, attempt, lengths: { min, max } }: TextTask, candidate: number): string {
  const { random } = generator
  const format = candidate === 0 ? suggestFormat(request.name) : undefined
  const formatted = format === undefined ? undefined : writeFormat(format, random, min)
  if (formatted !== undefined && countCodePoints(formatted) <= max) return formatted
  let text = suggestText(request.name, random)
  if (attempt > MAX_WORD_VARIATIONS) text += ` ${random.below(1000)}`
  // Stretched or cut, without a space at its end.
  for (let length = countCodePoints(text); length < min; ) {
    const more = ` ${writePhrase(random)}`
    text += more
    length += more.length
  }
  if (countCodePoints(text) <= max) return text
  const end = Math.max(min, Math.min(max, text.length))
  return text.slice(0, end).trimEnd().padEnd(min, 's')
}

/** Writes a text that matches a pattern; undefined when its texts are too short or too long. */
function writeByPattern(task: TextTask, pattern: string, candidate: number): string | undefined {
  const { generator, request, attempt, lengths } = task
  const { random, validator } = generator
  const { tree } = validator.patterns.compile(pattern, request.path)
  if (tree === undefined) return undefined
  const { nodes, shortest, longest } = tree
  const least = Math.max(shortest, Math.min(lengths.min, longest))
  if (least > MAX_LENGTH || shortest > lengths.max) return undefined
  // Up to four characters more than necessary are the most readable. Later candidates are longer by one each. In the last run, the
  // second half is as short as possible.
  const isShort = generator.isLastRun && candidate > MAX_CANDIDATES / 2
  const most = isShort ? least : Math.min(longest, lengths.max, Math.max(least, shortest + 4 + candidate))
  const length = least + random.below(most - least + 1)
  // Every second candidate is `mixed`; of these, every second one from 19 on is `odd`.
  const isOdd = candidate > 16 && candidate % 4 === 3
  const usual = candidate % 2 === 1 ? 'mixed' : 'plain'
  const text = writePatternText(tree, length, random, isOdd ? 'odd' : usual)
  const isOpenAtStart = nodes[0]?.kind !== 'start'
  const isOpenAtEnd = nodes.at(-1)?.kind !== 'end'
  const missing = lengths.min - countCodePoints(text)
  if (missing <= 0) {
    // A pattern without an end is likely to be a beginning, such as `^https://`. Later candidates match it with nothing added.
    const isBeginning = isOpenAtEnd && (!isOpenAtStart || attempt > 0) && candidate < 12
    return isBeginning ? text + drawPropertyName(random) : text
  }
  const more = random.alphanumeric(missing).toLowerCase()
  if (isOpenAtEnd) return text + more
  return isOpenAtStart ? more + text : text
}

/**
 * The beginnings and ends of plain texts, each with a rejected text added, such as the domain of an address. Only a few texts and
 * their first 60 characters, because each of them is tried at every length.
 */
function* combineTexts({ formats, patterns }: TextTask, rejected: readonly string[]): Iterable<string> {
  const ofFormats = formats.flatMap((format) => OTHER_TEXTS[format] ?? [])
  const added = patterns.length > 0 ? rejected.slice(-8) : []
  for (const addition of new Set(['', ...added])) {
    for (const text of [...ofFormats, ...rejected.slice(0, 2), ...FILLERS]) {
      const whole = text.slice(0, 60)
      for (let at = whole.length; at >= 0; at--) yield* [whole.slice(0, at) + addition, addition + whole.slice(at)]
    }
  }
}
