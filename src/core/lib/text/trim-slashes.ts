/** Removes the slashes at the end of an address. */

/** Not `/\/+$/`: its time would grow with the square of a row of slashes. */
export function trimSlashes(text: string): string {
  let end = text.length
  while (text[end - 1] === '/') end--
  return text.slice(0, end)
}
