/** Formats a call as code that makes it: a curl line, and Python and TypeScript with the official clients. */
import type { JsonObject } from '../../core/text/json.ts'

export interface ClientCall {
  /** The base address of the API: `http://127.0.0.1:4010/v1`. */
  readonly baseUrl: string
  readonly endpoint: 'chat' | 'embeddings'
  readonly key: string
  readonly body: JsonObject
}

const PATHS = { chat: '/chat/completions', embeddings: '/embeddings' } as const
const METHODS = { chat: 'chat.completions', embeddings: 'embeddings' } as const

/** For bash, zsh and sh. */
export function formatCurl({ baseUrl, endpoint, key, body }: ClientCall): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
  return [
    // -N shows a stream as it arrives.
    `curl ${body.stream === true ? '-N ' : ''}${quote(baseUrl + PATHS[endpoint])}`,
    `-H ${quote(`Authorization: Bearer ${key}`)}`,
    "-H 'Content-Type: application/json'",
    `-d ${quote(JSON.stringify(body))}`,
  ].join(' \\\n  ')
}

export function formatPython({ baseUrl, endpoint, key, body }: ClientCall): string {
  const isStream = endpoint === 'chat' && body.stream === true
  const fields = Object.entries(body)
  const known = fields
    .filter(([name]) => /^[a-z_]\w*$/i.test(name))
    .map(([name, value]) => `    ${name}=${toPython(value)},`)
  const others = fields.filter(([name]) => !/^[a-z_]\w*$/i.test(name))
  if (others.length > 0) known.push(`    extra_body=${toPython(Object.fromEntries(others))},`)
  const result = isStream ? 'stream' : 'response'
  return [
    'from openai import OpenAI',
    '',
    `client = OpenAI(base_url=${JSON.stringify(baseUrl)}, api_key=${JSON.stringify(key)})`,
    `${result} = client.${METHODS[endpoint]}.create(`,
    ...known,
    ')',
    ...(isStream
      ? [
          'for chunk in stream:',
          '    for choice in chunk.choices:',
          '        print(choice.delta.content or "", end="")',
        ]
      : [endpoint === 'chat' ? 'print(response.choices[0].message.content)' : 'print(response.data[0].embedding)']),
    '',
  ].join('\n')
}

/** JSON is Python, but for three words. */
function toPython(value: unknown): string {
  if (value === true) return 'True'
  if (value === false) return 'False'
  if (value === null) return 'None'
  if (Array.isArray(value)) return `[${value.map(toPython).join(', ')}]`
  if (typeof value !== 'object') return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([name, item]) => `${JSON.stringify(name)}: ${toPython(item)}`)
    .join(', ')}}`
}

export function formatTypeScript({ baseUrl, endpoint, key, body }: ClientCall): string {
  const isStream = endpoint === 'chat' && body.stream === true
  const result = isStream ? 'stream' : 'response'
  const print = endpoint === 'chat' ? 'response.choices[0]?.message.content' : 'response.data[0]?.embedding'
  return [
    "import OpenAI from 'openai'",
    '',
    `const client = new OpenAI({ baseURL: ${JSON.stringify(baseUrl)}, apiKey: ${JSON.stringify(key)} })`,
    `const ${result} = await client.${METHODS[endpoint]}.create(${JSON.stringify(body, null, 2)})`,
    ...(isStream
      ? ['for await (const chunk of stream) {', "  process.stdout.write(chunk.choices[0]?.delta.content ?? '')", '}']
      : [`console.log(${print})`]),
    '',
  ].join('\n')
}
