/** Names as the service lists them in its errors: `'a', 'b', and 'c'`. */
export function quotedList(names: readonly string[], conjunction: 'and' | 'or'): string {
  const quoted = names.map((name) => `'${name}'`)
  if (quoted.length < 3) return quoted.join(` ${conjunction} `)
  return `${quoted.slice(0, -1).join(', ')}, ${conjunction} ${quoted.at(-1)}`
}
