/** A text as YAML: plain where that is safe, else in double quotes, with everything escaped that needs it. */

const WORDS = /^[A-Za-z][\w .,!?'-]*$/
// What YAML 1.1 and 1.2 take for something else than text.
const TAKEN = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i
// JSON leaves these as they are, and YAML does not: controls, line ends of Unicode, what is no character.
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

export function yamlText(text: string): string {
  if (text.length <= 80 && WORDS.test(text) && !TAKEN.test(text) && !text.endsWith(' ')) return text
  return JSON.stringify(text).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
