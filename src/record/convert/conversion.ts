/** What the readers of all formats have in common: what they read, and what they could not carry over. */

/** Something that is missing in the scenario, or different. */
export interface Finding {
  /** Its place in the file: `interactions[2]`, `fixtures[0].match.context`. */
  readonly place: string
  /** Why, and what is there instead. */
  readonly reason: string
}

/** Thrown for a file that cannot be converted; the message says what was expected. */
export class ConvertError extends Error {
  override readonly name = 'ConvertError'
}

/** The bytes or the text of a body. */
export type Body = Uint8Array | string

/** One recorded HTTP exchange. */
export interface HttpExchange {
  readonly place: string
  readonly method: string
  readonly url: string
  /** By lower-case name. */
  readonly requestHeaders: ReadonlyMap<string, string>
  readonly requestBody: Body
  readonly status: number
  readonly headers: ReadonlyMap<string, string>
  /** Undefined if the file does not have it. */
  readonly body: Body | undefined
  /** Time until the answer began, and from there to its end. */
  readonly waitMs: number
  readonly receiveMs: number
}
