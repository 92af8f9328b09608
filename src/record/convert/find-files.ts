/** Finds the files to convert in files and folders. */
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ConvertError } from './conversion.ts'

const EXTENSIONS = /\.(?:har|ya?ml|json)$/i
const MAX_FILES = 10_000

/**
 * The given files, and for each folder the .har, .yaml, .yml and .json files below it, in the order of their names.
 * @throws ConvertError when a folder has none.
 */
export async function findFiles(paths: readonly string[]): Promise<readonly string[]> {
  const found: string[] = []
  for (const path of paths) {
    const isFolder = (await stat(path).catch(() => undefined))?.isDirectory() === true
    const files = isFolder ? await filesBelow(path) : [path]
    if (files.length === 0)
      throw new ConvertError(`Failed to convert '${path}': the folder has no .har, .yaml, .yml or .json file.`)
    found.push(...files)
  }
  if (found.length > MAX_FILES)
    throw new ConvertError(`Failed to convert: expected at most ${MAX_FILES} files, got ${found.length}.`)
  return found
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true })
  return entries
    .filter((entry) => entry.isFile() && EXTENSIONS.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
}
