/** The badge of a hunt for a README, as SVG: `fault coverage | 91.6 %`, in green, amber or red. */
import { countOf } from '../../core/lib/text/wording.ts'
import type { HuntResult } from './hunt-report.ts'

const LABEL = 'fault coverage'
const FAILING_COLOR = '#c0392b'
/** Colours of a hunt that found nothing, by the least coverage in percent. */
const COLORS = [
  { from: 90, color: '#2e7d32' },
  { from: 70, color: '#8a6d00' },
  { from: 0, color: '#b3541e' },
]
/** Widths in pixels: of the label with its padding, of a letter of the value, and of the padding on both sides. */
const LABEL_WIDTH = 94
const LETTER_WIDTH = 7
const PADDING = 12

export function badgeOf({ coverage: { percent }, failures, shortfall }: HuntResult): string {
  const value = `${percent} %${failures.length > 0 ? `, ${countOf(failures.length, 'cause')}` : ''}`
  const isBad = failures.length > 0 || shortfall !== undefined
  const color = isBad ? FAILING_COLOR : COLORS.find(({ from }) => percent >= from)!.color
  const width = LABEL_WIDTH + value.length * LETTER_WIDTH + PADDING
  const centredText = (content: string, from: number, to: number): string =>
    `<text x="${(from + to) / 2}" y="14" textLength="${to - from - PADDING}">${content}</text>`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="20" role="img" aria-label="${LABEL}: ${value}">`,
    `<title>${LABEL}: ${value}</title>`,
    `<clipPath id="r"><rect width="${width}" height="20" rx="3"/></clipPath>`,
    `<g clip-path="url(#r)"><rect width="${width}" height="20" fill="#444"/><rect x="${LABEL_WIDTH}" width="${width - LABEL_WIDTH}" height="20" fill="${color}"/></g>`,
    '<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
    centredText(LABEL, 0, LABEL_WIDTH) + centredText(value, LABEL_WIDTH, width),
    '</g></svg>',
  ].join('')
}
