/** Formats a call as a curl command for bash, zsh or sh, with the user's own key: `$OPENAI_API_KEY`. */
import type { CallDetails } from '../../../core/journal/call-details.ts'

const KEY = '$OPENAI_API_KEY'

/**
 * @param ownKey the key to write into the command. Default: that of the variable.
 * @example formatCurl(call, 'http://127.0.0.1:4010')
 */
export function formatCurl(
  call: Pick<CallDetails, 'method' | 'path' | 'key' | 'session' | 'body'>,
  origin: string,
  ownKey?: string,
): string {
  const { method, path, key, session, body } = call
  const quoted = (text: string): string => quote(text, key)
  const isPost = method === 'POST'
  const parts = [
    // -N shows a stream as it arrives; -g keeps curl from expanding brackets in the path.
    `curl ${body?.stream === true ? '-N ' : ''}${/[[\]{}]/.test(path) ? '-g ' : ''}${quoted(origin + path)}`,
    ...(isPost && body !== undefined ? [] : [`-X ${quoted(method)}`]),
    ...(ownKey === undefined ? [] : [`-H ${quoted(`Authorization: Bearer ${ownKey}`)}`]),
    ...(key === '' || ownKey !== undefined ? [] : [`-H "Authorization: Bearer ${KEY}"`]),
    ...(session === undefined ? [] : [`-H 'x-mock-session: ${session}'`]),
    ...(isPost ? [`-H 'Content-Type: application/json'`] : []),
    ...(body === undefined ? [] : [`-d ${quoted(JSON.stringify(body))}`]),
  ]
  if (!isPost || body !== undefined) return parts.join(' \\\n  ')
  return `# The journal has no body for this call. Put one into body.json.\n${[...parts, '-d @body.json'].join(' \\\n  ')}`
}

/**
 * Quotes a text for a shell: in single quotes only the quote itself is special. A masked key is replaced with the
 * variable.
 */
function quote(text: string, key: string): string {
  const plain = `'${text.replaceAll("'", "'\\''")}'`
  return key.includes('****') ? plain.replaceAll(key, () => `'"${KEY}"'`) : plain
}
