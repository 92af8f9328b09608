/** The licences of the packages whose code is bundled: they ask to be passed on with it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE_FOLDER = /^.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+/

/** What to pass on, package by package. @param modules paths of files; those that are of no package count for nothing. */
export function licencesOf(modules: Iterable<string>): string {
  const folders = new Set([...modules].flatMap((path) => PACKAGE_FOLDER.exec(path) ?? []))
  // A package may be there in several folders.
  return [...new Set([...folders].sort().map(licenceIn))].join(`\n\n${'-'.repeat(80)}\n\n`)
}

function licenceIn(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder)
  const file = files.find((one) => /^licen[cs]e/i.test(one)) ?? files.find((one) => /^readme/i.test(one))
  // Some packages have it at the end of their README.
  const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').replace(/^.*\n(?=LICENSE \()/s, '')
  if (!/copyright/i.test(text)) throw new Error(`Failed to find the licence of ${name} in ${folder}.`)
  return `${name} ${version} (${license})\n\n${text.trim()}`
}
