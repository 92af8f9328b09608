/** The scenario file that the server was started with: read, watched and written. Its path never comes from a client. */
import { createHash } from 'node:crypto'
import type { ScenarioSource } from '../core/scenario/scenario-source.ts'
import { checkScenario } from '../core/scenario/yaml/parse-scenario.ts'
import { namedScenarios } from '../engine/index.ts'
import { loadSessions, MAX_BYTES, readText, replaceFile, watchFile } from '../engine/node.ts'
import { ControlError } from './route-table.ts'

/** The file as it is on disk. */
export interface FileContent {
  readonly path: string
  /** Left out, with `version`, when the file cannot be read. */
  readonly text?: string
  /** Equal for equal texts. */
  readonly version?: string
  /** The reason why the text is no scenario, as the terminal shows it; undefined if it is one. */
  readonly problem?: string
}

export class ScenarioFile {
  readonly path: string
  /** Increases each time the file changes on disk. */
  revision = 0
  #saved: Promise<unknown> = Promise.resolve()

  /** Watches the file until `closing` aborts. */
  constructor(path: string, closing: AbortSignal) {
    this.path = path
    const watch = watchFile(path, async () => () => void this.revision++)
    closing.addEventListener('abort', () => watch.close())
  }

  /** The file, with its scenario and the names of scenarios in it if it is one. */
  async read(): Promise<FileContent & { readonly source?: ScenarioSource; readonly named?: readonly string[] }> {
    const { path } = this
    let content: FileContent = { path }
    try {
      const text = await readText(path)
      content = { path, text, version: createHash('sha256').update(text).digest('hex') }
      const { source } = checkScenario(text, path, MAX_BYTES)
      return { ...content, named: namedScenarios(source), source: await loadSessions(source, text, path) }
    } catch (error) {
      return { ...content, problem: (error as Error).message }
    }
  }

  /**
   * Replaces the version of the file that the client has read. Saves run one after the other.
   * @throws ControlError when the file has changed since, or cannot be written.
   */
  save(text: string, version: unknown): Promise<void> {
    const saving = this.#saved.then(() => this.#write(text, version))
    this.#saved = saving.catch(() => {})
    return saving
  }

  async #write(text: string, version: unknown): Promise<void> {
    const { path } = this
    const before = await this.read()
    if (before.text === undefined) throw new ControlError(`Not saved: ${before.problem}`, 409)
    if (before.version !== version) {
      throw new ControlError(
        `Not saved: '${path}' has changed on disk since its text was read. Read its text again, and make your changes there.`,
        409,
      )
    }
    // The editor of the page has line feeds only.
    const written = before.text.includes('\r\n') ? text.replace(/\r?\n/g, '\r\n') : text
    await replaceFile(path, written).catch(({ message }: Error) => {
      throw new ControlError(`Not saved: ${message}. Check that the server may write to the folder of '${path}'.`, 500)
    })
  }
}
