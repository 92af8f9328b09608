/**
 * Workflow commands of GitHub Actions: lines of a log that become annotations.
 * @see https://docs.github.com/actions/reference/workflow-commands-for-github-actions
 */

/** `::error title=api-mock hunt::text` */
export const workflowCommand = (type: 'error' | 'warning' | 'notice', title: string, text: string): string =>
  `::${type} title=${property(`api-mock ${title}`)}::${message(text)}`

const message = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
const property = (text: string): string => message(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
