/**
 * Finds a text in another one, in time that is linear in both. `indexOf` may need as many steps as the product of their
 * lengths, and a client may send megabytes of both.
 */

/** The most comparisons for which the built-in search is fast enough at its worst. */
const MAX_COMPARISONS = 1_000_000

/**
 * The first index from 0 to `last` at which `wanted` begins; -1 if it does not occur. Long texts are searched by the algorithm
 * of Knuth, Morris and Pratt.
 * @see https://en.wikipedia.org/wiki/Knuth-Morris-Pratt_algorithm
 */
export function findText(text: string, wanted: string, last: number): number {
  const searched = text.slice(0, last + wanted.length)
  if (searched.length < wanted.length) return -1
  if (searched.length * wanted.length <= MAX_COMPARISONS) return searched.indexOf(wanted)
  // For each place in the wanted text, the length of the longest beginning that also ends there.
  const borders = new Int32Array(wanted.length)
  /** Number of characters of the wanted text that end at the last place. */
  let matched = 0
  const match = (code: number): void => {
    while (matched > 0 && wanted.charCodeAt(matched) !== code) matched = borders[matched - 1]!
    if (wanted.charCodeAt(matched) === code) matched++
  }
  for (let place = 1; place < wanted.length; place++) {
    match(wanted.charCodeAt(place))
    borders[place] = matched
  }
  matched = 0
  for (let place = 0; place < searched.length; place++) {
    match(searched.charCodeAt(place))
    if (matched === wanted.length) return place + 1 - matched
  }
  return -1
}
