/**
 * Answers questions from a handbook: it embeds the question, finds the nearest passage, and asks a model about it. When the
 * embedding fails, it searches for words; when the large model fails, it asks a small one. The bug: after a search for words
 * it returns early, and never reaches the small model. So it takes two faults.
 */
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import type { HuntedApp, Variant } from './hunted-app.ts'

const PASSAGES = [
  { text: 'Parcels are sent on Mondays and Thursdays.', vector: [0.9, 0.1, 0, 0] },
  { text: 'Keys are returned to the porter.', vector: [0, 0.2, 0.9, 0.3] },
]
const SORRY = 'I cannot answer at the moment.'

interface Models {
  readonly embeddings: OpenAIEmbeddings
  readonly large: ChatOpenAI
  readonly small: ChatOpenAI
}

async function answer(question: string, models: Models, variant: Variant): Promise<string> {
  const askAbout = async (model: ChatOpenAI, passage: string): Promise<string> => {
    const { text } = await model.invoke(`Answer from this text: ${passage}\n${question}`)
    return text === '' ? SORRY : text
  }
  let passage: string
  try {
    passage = findNearest(await models.embeddings.embedQuery(question))
  } catch {
    passage = findByWords(question)
    if (variant === 'buggy') return askAbout(models.large, passage)
  }
  return askAbout(models.large, passage)
    .catch(() => askAbout(models.small, passage))
    .catch(() => SORRY)
}

function findNearest(vector: readonly number[]): string {
  const score = (passage: (typeof PASSAGES)[number]): number => {
    if (passage.vector.length !== vector.length) throw new Error(`a vector of ${vector.length} numbers`)
    return passage.vector.reduce((sum, number, index) => sum + number * vector[index]!, 0)
  }
  return PASSAGES.toSorted((one, other) => score(other) - score(one))[0]!.text
}

function findByWords(question: string): string {
  const words = question.toLowerCase().split(/\W+/)
  const score = ({ text }: { text: string }) => words.filter((word) => text.toLowerCase().includes(word)).length
  return PASSAGES.toSorted((one, other) => score(other) - score(one))[0]!.text
}

export const handbook: HuntedApp = {
  name: 'handbook',
  client: 'LangChain, embeddings and chats',
  bug: 'a fallback that is never reached',
  scenario: { replies: [{ say: 'On Mondays and Thursdays.' }] },
  async use({ baseURL, key }, variant) {
    const settings = { apiKey: key, maxRetries: 1, configuration: { baseURL } }
    const models = {
      embeddings: new OpenAIEmbeddings({ ...settings, model: 'text-embedding-3-small', dimensions: 4 }),
      large: new ChatOpenAI({ ...settings, model: 'gpt-4o' }),
      small: new ChatOpenAI({ ...settings, model: 'gpt-4o-mini' }),
    }
    const shown = await answer('When are parcels sent?', models, variant)
    if (shown === '') throw new Error('The page is empty')
  },
  size: 2,
  failsUnder: [
    'server-error',
    'rate-limit',
    'bad-request',
    'broken-connection',
    'cut',
    'early-end',
    'wrong-answer',
    'hang',
  ],
}
