/** The placeholder for a vector in a recorded body. */

/** Where a vector stands in a body. */
export const VECTOR_PLACE = '{{vector}}'
