/** Paths of the service that this mock does not simulate, and what a client can do instead. */

const HANDLERS = 'Your own msw handlers can answer it, with --handlers or in your setupServer'

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
  responses: 'background responses or compaction',
  skills: 'skills',
  threads: 'the Assistants API',
  uploads: 'uploads',
  vector_stores: 'vector stores',
  videos: 'videos',
}

const REMEDIES: Readonly<Record<string, string>> = {
  completions:
    'Use chat completions instead. Official clients: client.chat.completions. AI SDK: openai.chat(model). LangChain: ChatOpenAI',
  conversations:
    'Chain responses with previous_response_id instead. OpenAI Agents SDK: previousResponseId, without a session',
  responses: 'Send a response without background, and the earlier items or previous_response_id with each',
}

/** The advice for a client of a real path that the mock does not simulate; undefined for any other path. */
export function adviceFor(path: string): string | undefined {
  const segment = /^(?:\/v1)?\/(\w+)/.exec(path)?.[1] ?? ''
  if (!Object.hasOwn(PATHS, segment)) return undefined
  return `This mock does not simulate ${PATHS[segment]}. ${REMEDIES[segment] ?? HANDLERS}.`
}
