/** The tables of README.md that say what the code already says: scenarios, faults and errors, from their catalogues. */

import { type ErrorName, errorKinds } from '../src/core/errors/catalogue.ts'
import { faults } from '../src/core/faults/catalogue.ts'
import type { Fault } from '../src/core/faults/fault.ts'
import { goDuration } from '../src/core/text/duration.ts'

/** README.md with its tables written anew, each between `<!-- name -->` and `<!-- /name -->`. */
export function withTables(
  readme: string,
  scenarios: Readonly<Record<string, { readonly description: string }>>,
): string {
  const tables = { scenarios: scenariosTable(scenarios), faults: faultsTable(), errors: errorsTable() }
  let text = readme
  for (const [name, rows] of Object.entries(tables)) {
    const place = new RegExp(`(<!-- ${name} -->\n)[\\s\\S]*?(<!-- /${name} -->)`)
    if (!place.test(text)) throw new Error(`README.md has no place for the table '${name}'.`)
    text = text.replace(place, (_, start: string, end: string) => `${start}${rows.join('\n')}\n${end}`)
  }
  return text
}

function scenariosTable(scenarios: Readonly<Record<string, { readonly description: string }>>): string[] {
  const rows = Object.entries(scenarios).map(([name, { description }]) => `| \`${name}\` | ${cell(description)} |`)
  return ['| scenario | what it shows |', '| --- | --- |', ...rows]
}

function faultsTable(): string[] {
  const rows = faults.map(({ name, summary, options }) => `| \`${name}\` | ${cell(summary)} | ${optionsOf(options)} |`)
  return ['| fault | what it does | options |', '| --- | --- | --- |', ...rows]
}

function optionsOf(options: Fault['options']): string {
  const written = Object.entries(options).map(([name, spec]) => {
    const allowed = spec.kind === 'choice' ? ` (${spec.of.join(', ')})` : ''
    const shown = spec.kind === 'duration' ? goDuration(spec.default ?? 0) : spec.default
    return `\`${name}\`${allowed}: ${spec.summary}${shown === undefined ? '' : ` (default ${shown})`}`
  })
  return cell(written.join('; '))
}

function errorsTable(): string[] {
  const rows = (Object.keys(errorKinds) as ErrorName[]).map((name) => {
    const { status, type, code, when, provoke } = errorKinds[name] as (typeof errorKinds)[ErrorName] & {
      type?: string
      code?: string
    }
    const shownStatus = typeof status === 'number' ? String(status) : '4xx, 5xx'
    const shownType = type === undefined ? '' : `\`${type}\``
    return `| ${shownStatus} | ${shownType} | ${code ? `\`${code}\`` : 'null'} | ${cell(when)} | \`${cell(provoke)}\` |`
  })
  return ['| status | type | code | when | for example |', '| --- | --- | --- | --- | --- |', ...rows]
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
