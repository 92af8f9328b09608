/** Finds a text in another one in steps, in time that is linear in both. */
import type { Steps } from '../../work/steps.ts'

/** Up to this many comparisons, the built-in search is fast enough at its worst. */
const MAX_COMPARISONS = 1_000_000
const PLACES_PER_STEP = 100_000
const PLACES_PER_UNIT = 50

/** The first index from 0 to `last` at which `wanted` begins; -1 if it does not occur. */
export function* findInSteps(text: string, wanted: string, last: number): Steps<number> {
  const searched = text.slice(0, last + wanted.length)
  if (searched.length < wanted.length) return -1
  if (searched.length * wanted.length <= MAX_COMPARISONS) return searched.indexOf(wanted)
  return yield* search(searched, wanted)
}

/** The algorithm of Knuth, Morris and Pratt. @see https://en.wikipedia.org/wiki/Knuth-Morris-Pratt_algorithm */
function* search(text: string, wanted: string): Steps<number> {
  // For each place in the wanted text, the length of the longest beginning that also ends there.
  const borders = new Int32Array(wanted.length)
  let matched = 0
  for (let place = 1; place < wanted.length; place++) {
    const code = wanted.charCodeAt(place)
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1]!
    if (wanted.charCodeAt(matched) === code) matched++
    borders[place] = matched
    if (place % PLACES_PER_STEP === 0) yield PLACES_PER_STEP / PLACES_PER_UNIT
  }
  matched = 0
  for (let place = 0; place < text.length; place++) {
    const code = text.charCodeAt(place)
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1]!
    if (wanted.charCodeAt(matched) === code) matched++
    if (matched === wanted.length) return place + 1 - matched
    if (place % PLACES_PER_STEP === 0) yield PLACES_PER_STEP / PLACES_PER_UNIT
  }
  return -1
}
