/** The colours of the page, light and dark, can be read: WCAG 2.2 asks for 4.5 for texts and 3 for edges of controls. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'

const css = readFileSync(resolve(import.meta.dirname, '../../src/console/styles/tokens.css'), 'utf8')
const [light, dark] = [...css.matchAll(/:root \{([^}]*)\}/g)].map(([, block]) =>
  Object.fromEntries([...block!.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, colour]) => [name, colour!])),
) as [Record<string, string>, Record<string, string>]

/** WCAG's relative luminance. */
function luminance(colour: string): number {
  const [red, green, blue] = [1, 3, 5].map((place) => {
    const part = Number.parseInt(colour.slice(place, place + 2), 16) / 255
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [dim, bright] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number]
  return (bright + 0.05) / (dim + 0.05)
}

const PAIRS: readonly (readonly [ink: string, ground: string, least: number])[] = [
  ...['ground', 'paper', 'raised', 'chosen'].map((ground) => ['ink', ground, 4.5] as const),
  ...['ground', 'paper', 'raised', 'chosen'].map((ground) => ['faint', ground, 4.5] as const),
  ...['paper', 'raised', 'chosen'].map((ground) => ['accent', ground, 4.5] as const),
  // JSON has the same colours, on paper.
  ...['good', 'warn', 'bad'].map((ink) => [ink, 'paper', 4.5] as const),
  ['on-accent', 'accent', 4.5],
  ['good', 'good-ground', 4.5],
  ['warn', 'warn-ground', 4.5],
  ['bad', 'bad-ground', 4.5],
  ...['ground', 'paper', 'raised'].map((ground) => ['edge', ground, 3] as const),
]

test.each(PAIRS)('%s on %s has a contrast of at least %d', (ink, ground, least) => {
  for (const colours of [light, dark]) {
    expect(contrast(colours[ink]!, colours[ground]!), `${colours[ink]} on ${colours[ground]}`).toBeGreaterThanOrEqual(
      least,
    )
  }
})

test('light and dark have the same names', () => {
  expect(Object.keys(dark)).toEqual(Object.keys(light))
})
