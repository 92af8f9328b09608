/** A text as messages show it. */

const MAX_LENGTH = 100

/** Cuts a text of more than 100 characters, and marks the cut with three dots. */
export const shorten = (text: string): string => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}...` : text)
