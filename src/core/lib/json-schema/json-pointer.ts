/** Names as steps of a JSON pointer. @see https://www.rfc-editor.org/rfc/rfc6901 */

/** `a/b` -> `a~1b` */
export const pointerStep = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

/** `a~1b` -> `a/b` */
export const nameOfStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~')
