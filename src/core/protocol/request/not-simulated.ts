/** Paths of the service that this mock does not simulate, and what a client can do instead. */

const HANDLERS = 'Your own msw handlers can answer it, with --handlers or in your setupServer'
const CHAT =
  'Switch the client to chat completions. Official clients: client.chat.completions. AI SDK: openai.chat(model). ' +
  'LangChain: useResponsesApi: false (Python: use_responses_api=False). ' +
  "OpenAI Agents SDK: useResponses: false (Python: set_default_openai_api('chat_completions'))"

/** The purposes of the paths, by their first segment. */
const PATHS: Readonly<Record<string, string>> = {
  assistants: 'the Assistants API',
  audio: 'speech and transcription',
  batches: 'batches',
  chatkit: 'ChatKit',
  completions: 'legacy completions',
  containers: 'containers',
  conversations: 'conversations',
  evals: 'evals',
  files: 'files',
  fine_tuning: 'fine-tuning',
  images: 'images',
  moderations: 'moderations',
  organization: 'the administration API',
  realtime: 'the Realtime API',
  responses: 'the Responses API',
  skills: 'skills',
  threads: 'the Assistants API',
  uploads: 'uploads',
  vector_stores: 'vector stores',
  videos: 'videos',
}

const REMEDIES: Readonly<Record<string, string>> = { completions: 'Use chat completions instead', responses: CHAT }

const OPERATIONS = new Set(['POST /v1/responses/compact'])

/** True for an operation of the service whose path looks like that of a stored object. */
export const isOperation = (method: string, path: string): boolean => OPERATIONS.has(`${method} ${path}`)

/** The advice for a client of a real path that the mock does not simulate; undefined for any other path. */
export function adviceFor(path: string): string | undefined {
  const segment = /^(?:\/v1)?\/(\w+)/.exec(path)?.[1] ?? ''
  if (!Object.hasOwn(PATHS, segment)) return undefined
  return `This mock does not simulate ${PATHS[segment]}. ${REMEDIES[segment] ?? HANDLERS}.`
}
