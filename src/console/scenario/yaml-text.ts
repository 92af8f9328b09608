/** Formats a text as YAML: plain where that is safe, else in double quotes with escapes. */

const WORDS = /^[A-Za-z][\w .,!?'-]*$/
// Words that YAML 1.1 or 1.2 read as something other than text.
const RESERVED = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i
// JSON does not escape these, but YAML needs it: controls, Unicode line ends and non-characters.
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g

export function formatYamlText(text: string): string {
  if (text.length <= 80 && WORDS.test(text) && !RESERVED.test(text) && !text.endsWith(' ')) return text
  return JSON.stringify(text).replace(
    UNPRINTABLE,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
