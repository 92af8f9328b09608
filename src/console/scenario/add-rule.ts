/** Adds a rule to the text of a scenario, before its other rules: the first rule that matches decides. */

/**
 * The text with the rule, and the line on which it begins; undefined if the replies are not a block list.
 * @param rule a scenario with the rule alone, as `formatRule` writes it.
 */
export function addRule(text: string, rule: string): { readonly text: string; readonly line: number } | undefined {
  const lines = text.replace(/\n+$/, '').split('\n')
  const item = rule.trimEnd().split('\n').slice(1)
  const row = lines.findIndex((line) => /^replies *:/.test(line))
  if (row < 0) {
    const before = lines.length === 1 && lines[0] === '' ? [] : lines
    return { text: `${[...before, 'replies:', ...item].join('\n')}\n`, line: before.length + 2 }
  }
  if (!/^replies *: *(?:#.*|\[ *\] *(?:#.*)?)?$/.test(lines[row]!)) return undefined
  const first = lines.slice(row + 1).find((line) => /^ *-(?: |$)/.test(line) || /^[^\s#]/.test(line))
  const indent = /^( *)-/.exec(first ?? '')?.[1] ?? '  '
  const added = item.map((line) => `${indent}${line.replace(/^ {2}/, '')}`)
  const head = lines[row]!.replace(/\[ *\]/, '').trimEnd()
  return { text: `${[...lines.slice(0, row), head, ...added, ...lines.slice(row + 1)].join('\n')}\n`, line: row + 2 }
}
