/** A call as a curl line for bash, zsh or sh. The key is the reader's own: `$OPENAI_API_KEY`. */
import type { CallDetails } from '../../core/journal/call-details.ts'

const KEY = '$OPENAI_API_KEY'

/** @example curlOf(call, 'http://127.0.0.1:4010') */
export function curlOf(call: Pick<CallDetails, 'method' | 'path' | 'key' | 'body'>, origin: string): string {
  const { method, path, key, body } = call
  const quote = (text: string): string => quoted(text, key)
  const isPost = method === 'POST'
  const parts = [
    // A stream is shown as it comes; brackets in a path are no list for curl to go through.
    `curl ${body?.stream === true ? '-N ' : ''}${/[[\]{}]/.test(path) ? '-g ' : ''}${quote(origin + path)}`,
    ...(isPost && body !== undefined ? [] : [`-X ${quote(method)}`]),
    ...(key === '' ? [] : [`-H "Authorization: Bearer ${KEY}"`]),
    ...(isPost ? [`-H 'Content-Type: application/json'`] : []),
    ...(body === undefined ? [] : [`-d ${quote(JSON.stringify(body))}`]),
  ]
  if (!isPost || body !== undefined) return parts.join(' \\\n  ')
  return `# The journal has no body of this call: put it into body.json.\n${[...parts, '-d @body.json'].join(' \\\n  ')}`
}

/**
 * In single quotes a shell leaves everything alone, but for the quote itself. What was shortened of the key before it
 * came here is the whole key again when the line runs.
 */
function quoted(text: string, key: string): string {
  const plain = `'${text.replaceAll("'", "'\\''")}'`
  return key.includes('****') ? plain.replaceAll(key, () => `'"${KEY}"'`) : plain
}
