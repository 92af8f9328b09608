/** Finders: functions that find the ranges of a text that must be redacted. */

export type Range = readonly [start: number, end: number]
/** Finds the ranges of a text that must be redacted. */
export type Finder = (text: string) => readonly Range[]

/** Builds a finder of a fixed text. */
export function buildTextFinder(wanted: string): Finder {
  return (text) => {
    const ranges: Range[] = []
    for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + wanted.length)) {
      ranges.push([start, start + wanted.length])
    }
    return ranges
  }
}
