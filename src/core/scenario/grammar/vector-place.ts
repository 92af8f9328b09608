/** The placeholder for a vector in a recorded body. */

/** Replaced by a vector in a recorded body. */
export const VECTOR_PLACE = '{{vector}}'
