/** A part of a prompt: the tokens around a text, the text, and what lies in it. */

/** A text of a prompt, and the tokens around it. */
export interface PromptPart {
  /** Tokens before the text that are not text, such as `<|start|>`. */
  readonly frame: number
  /** '' for none. */
  readonly text: string
  /** What lies between the characters of the text, in their order. */
  readonly inserts?: readonly Insert[]
  /** Whether it is the content of a message of the user or a tool. */
  readonly isTurn?: boolean
}

/** An image or a sound, something that is compared but not counted, or a breakpoint of the prompt cache. */
export interface Insert {
  /** The number of characters of the text before it. */
  readonly at: number
  readonly kind: 'image' | 'audio' | 'other' | 'breakpoint'
  readonly tokens: number
  /** What must be equal for two inserts to be equal; for a breakpoint its `ttl`. */
  readonly identity: unknown
}
