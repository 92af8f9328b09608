/** Escapes characters that a terminal or an editor obeys instead of showing. */

// C0, DEL, C1, line and paragraph separators, and everything that changes the direction of text.
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Each such character as `\\u001b`. In compact JSON they occur in strings only, where this is the same character. */
export const escapeControls = (text: string): string =>
  text.replace(CONTROLS, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
