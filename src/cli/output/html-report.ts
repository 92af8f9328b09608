/** The report of a run as one HTML file, which needs no server: the template of the build with the report inside. */
import { readFile } from 'node:fs/promises'
import type { ConductReport } from '../../core/conduct/report.ts'

const TEMPLATE = new URL('../console/report.html', import.meta.url)

/** @throws when the package was not built. */
export async function formatHtml(report: ConductReport, title: string, template = TEMPLATE): Promise<string> {
  const page = await readFile(template, 'utf8')
  const parts: Readonly<Record<string, string>> = {
    '{{title}}': title.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`),
    // In JSON, < occurs in texts only, and \\u003c is the same character: no text can end the script.
    '{{report}}': JSON.stringify(report).replaceAll('<', '\\u003c'),
  }
  return page.replace(/\{\{(?:title|report)\}\}/g, (name) => parts[name]!)
}
