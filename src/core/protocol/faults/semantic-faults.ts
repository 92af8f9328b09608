/** The semantic faults, in the order of the docs. Those of tool calls and of JSON have their own files. */

import { rotate } from '../../lib/random/random.ts'
import { lastCut } from '../../lib/text/graphemes.ts'
import { type Fault, faultWith, GENERATIONS, onMessage } from './fault.ts'
import { wrongEnum } from './json-schema-faults.ts'
import { truncatedJson } from './json-syntax-faults.ts'
import { toolCallFaults, undeclaredTool } from './tool-call-faults.ts'

/** The fields that the faults of embeddings share. */
const ofEmbeddings = { kind: 'semantic', options: {}, endpoints: ['embeddings'] } as const

/** The answers of `other-language`. */
const SENTENCES = [
  'Entschuldigung, ich antworte heute lieber auf Deutsch.',
  'Lo siento, hoy prefiero contestar en español.',
  'Désolé, aujourd’hui je préfère répondre en français.',
  'すみません、今日は日本語でお答えします。',
  '抱歉，今天我想用中文回答。',
  'عذرًا، أفضل أن أجيب اليوم بالعربية.',
  'Простите, сегодня я отвечу по-русски.',
  'क्षमा करें, आज मैं हिन्दी में उत्तर दूँगा।',
]

const unfinished = faultWith({
  kind: 'semantic',
  name: 'unfinished',
  summary: 'An answer that ends in the middle, with a finish_reason that says so.',
  options: {
    reason: {
      kind: 'choice',
      of: ['length', 'content_filter'],
      default: 'length',
      summary: 'the finish_reason: out of tokens, or stopped by a filter',
    },
  },
  endpoints: GENERATIONS,
  needs: 'a text or a tool call with arguments',
  message: (message, _facts, _random, { reason: finishReason }) => {
    if (message.type === 'refusal') return undefined
    if (message.type === 'text') {
      return message.text === '' ? undefined : { ...message, text: firstHalf(message.text), finishReason }
    }
    const last = message.calls.at(-1)!
    if (last.input === '') return undefined
    return { ...message, calls: message.calls.with(-1, { ...last, input: firstHalf(last.input) }), finishReason }
  },
})

const firstHalf = (text: string): string => text.slice(0, lastCut(text, Math.floor(text.length / 2)))

export const semanticFaults: readonly Fault[] = [
  onMessage(
    'refusal',
    'A refusal: no content, the text in `refusal`, with finish_reason stop.',
    'a chat completion',
    () => ({ type: 'refusal', text: "I'm sorry, but I can't help with that." }),
  ),
  onMessage('empty-text', 'An empty text in place of an answer, with finish_reason stop.', 'a chat completion', () => ({
    type: 'text',
    text: '',
  })),
  onMessage(
    'other-language',
    'A text in a language other than that of the prompt.',
    'a chat completion that is plain text, not JSON or a tool call',
    (message, _, random) => {
      if (message.type !== 'text' || message.schema !== undefined) return undefined
      return { type: 'text', text: SENTENCES[random.below(SENTENCES.length)]! }
    },
  ),
  unfinished,
  truncatedJson,
  wrongEnum,
  undeclaredTool,
  ...toolCallFaults,
  {
    kind: 'semantic',
    name: 'repeated-chunk',
    summary: 'A stream that repeats one chunk of the text or of the arguments.',
    options: {},
    endpoints: GENERATIONS,
    needs: 'a stream with text or arguments',
    pieces: (lists, random) => {
      const candidates = lists.flatMap((pieces, list) => pieces.map((piece, index) => ({ list, index, piece })))
      if (candidates.length === 0) return undefined
      const { list, index, piece } = candidates[random.below(candidates.length)]!
      return lists.with(list, lists[list]!.toSpliced(index, 0, piece))
    },
  },
  {
    kind: 'semantic',
    name: 'wrong-usage',
    summary: 'A usage that does not add up: total_tokens is more than the sum of its parts.',
    options: {},
    needs: 'an answer',
    total: (total, random) => total + 1 + random.below(100),
  },
  {
    ...ofEmbeddings,
    name: 'wrong-dimension',
    summary: 'One embedding has one dimension too few.',
    needs: 'embeddings of at least two dimensions',
    embeddings: (all, random) => {
      const position = random.below(all.length)
      const { index, dimensions, vector } = all[position]!
      if (dimensions < 2) return undefined
      return all.with(position, { index, dimensions: dimensions - 1, vector: () => vector().subarray(0, -1) })
    },
  },
  {
    ...ofEmbeddings,
    name: 'shuffled-embeddings',
    summary: 'Embeddings out of order: each has the index of its input, but none is at that position.',
    needs: 'embeddings of at least two inputs',
    embeddings: (all, random) => {
      if (all.length < 2) return undefined
      // All move by the same number of positions, so none stays where it belongs.
      return rotate(all, 1 + random.below(all.length - 1))
    },
  },
]
