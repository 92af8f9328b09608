/** The table: a row for each result, with its median, its ratio and what became of its goals; as text and for docs/benchmarks.md. */
import { goals, referenceOf } from './goals.ts'
import { find, judge, median, type Place, type Result, ratio, type Unit, type Verdict } from './results.ts'

const HEAD = ['what', 'who', 'median', 'ratio', 'core', 'goals'] as const
/** Columns padded to the same width, for a terminal. */
export function textTable(results: readonly Result[]): string {
  const rows = [HEAD, ...rowsOf(results)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) => row.map((cell, column) => align(cell, widths[column]!, column)).join('  '))
    .map((line) => line.trimEnd())
    .join('\n')
}

/** For docs/benchmarks.md. The core's share is left out: a run that is published has none that is too low. */
export function markdownTable(results: readonly Result[]): string {
  const withoutCore = (row: readonly string[]): readonly string[] => row.filter((_, column) => HEAD[column] !== 'core')
  const rows = [HEAD, HEAD.map((name) => (isNumber(name) ? '--:' : '---')), ...rowsOf(results)]
  return rows.map((row) => `| ${withoutCore(row).join(' | ')} |`).join('\n')
}

function rowsOf(results: readonly Result[]): readonly (readonly string[])[] {
  return results.map((result) => {
    const { measure, label, samples, unit, coreShare } = result
    const place = result.of === undefined ? referenceOf(measure) : { measure, contender: result.of }
    const of = find(results, place)
    return [
      measure,
      label,
      amount(median(samples), unit),
      of === undefined || of === result ? '' : `${ratio(result, of).toFixed(2)} of ${shown(place, measure)}`,
      coreShare === undefined ? '' : `${Math.round(coreShare * 100)} %`,
      goalsOf(result, results),
    ]
  })
}

function goalsOf(place: Place, results: readonly Result[]): string {
  return goals
    .filter((goal) => goal.measure === place.measure && goal.contender === place.contender)
    .map((goal) => verdictText(judge(goal, results)))
    .join('; ')
}

function verdictText({ goal, value, isMet }: Verdict): string {
  const wanted = goal.least === undefined ? `≤ ${goal.most}` : `≥ ${goal.least}`
  const of = goal.of === undefined ? '' : ` of ${shown(goal.of, goal.measure)}`
  if (value === undefined) return `${wanted}${of}: not measured`
  return `${wanted}${of}: ${value.toFixed(2)}, ${isMet ? 'met' : 'missed'}`
}

/** A contender; with the measure when that is another. */
function shown({ measure, contender }: Place, beside: string): string {
  if (measure === beside) return contender
  return contender === 'mock' ? measure : `${contender} ${measure}`
}

function amount(value: number, unit: Unit): string {
  switch (unit) {
    case 'calls/s':
    case 'experiments/s':
      return `${Math.round(value).toLocaleString('en')} ${unit}`
    case 'us/call':
      return `${Math.round(value)} µs/call`
    case 'us/event':
      return `${value.toFixed(1)} µs/event`
    case 'ms':
      return `${value < 10 ? value.toFixed(2) : Math.round(value)} ms`
    case '%':
      return `${Math.round(value)} %`
    case 'packages':
      return String(value)
    case 'MB':
      return `${value.toFixed(1)} MB`
    default:
      return unit satisfies never
  }
}

const isNumber = (name: (typeof HEAD)[number]): boolean => name === 'median'

function align(cell: string, width: number, column: number): string {
  return isNumber(HEAD[column]!) ? cell.padStart(width) : cell.padEnd(width)
}
