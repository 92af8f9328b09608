/**
 * The syntax of reports that CI systems read: JUnit XML, and workflow commands of GitHub Actions.
 *
 *     <testcase classname="conduct" name="early-retry"><failure message="...">...</failure></testcase>
 *     ::error title=api-mock early-retry::early-retry of POST /v1/chat/completions ...
 */

/**
 * A report for JUnit with one suite.
 * @param attributes other attributes of the suite, with a space before them.
 * @param cases made by `testCase`.
 * @param output made by `systemOut`.
 */
export function testSuite(name: string, attributes: string, cases: readonly string[], output: readonly string[]) {
  // Only an element has this: texts are escaped.
  const failed = cases.filter((element) => element.includes('<failure ')).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites>',
    `  <testsuite name="${name}" tests="${cases.length}" failures="${failed}" errors="0"${attributes}>`,
    ...[...cases, ...output].map((element) => `    ${element}`),
    '  </testsuite>',
    '</testsuites>',
  ].join('\n')
}

/** @param inside the elements of the case: `<failure message="..."/>`. */
export const testCase = (group: string, name: string, inside: readonly string[]): string =>
  `<testcase classname="${escapeXml(group)}" name="${escapeXml(name)}">${inside.join('')}</testcase>`

/** The output of a suite or case as one element; none without texts. */
export const systemOut = (texts: readonly string[]): string[] =>
  texts.length === 0 ? [] : [`<system-out>${escapeXml(texts.join('\n'))}</system-out>`]

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** Escapes text for XML, which does not allow control characters. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[&<>"']/g, (sign) => ENTITIES[sign]!)
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')

/**
 * A workflow command of GitHub Actions, a line of a log that becomes an annotation: `::error title=api-mock hunt::text`.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */
export function workflowCommand(type: 'error' | 'warning' | 'notice', title: string, text: string): string {
  const encode = (value: string) => value.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const property = encode(`api-mock ${title}`).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::${type} title=${property}::${encode(text)}`
}
