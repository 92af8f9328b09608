/** Indexes notes. The bug: a vector is stored without a look at its length, and the search then compares numbers with nothing. */
import OpenAI from 'openai'
import type { HuntedApp } from './hunted-app.ts'

const NOTES = ['buy milk', 'call the bank']
const SIZE = 8

export const notes: HuntedApp = {
  name: 'notes',
  client: 'openai, embeddings',
  bug: 'a vector of a wrong length is stored',
  scenario: {},
  async use({ baseURL, key }, variant) {
    const client = new OpenAI({ baseURL, apiKey: key, maxRetries: 1, timeout: 20_000 })
    const index: { note: string; vector: readonly number[] }[] = []
    try {
      const { data } = await client.embeddings.create({
        model: 'text-embedding-3-small',
        input: NOTES,
        dimensions: SIZE,
      })
      const isRight = data.length === NOTES.length && data.every(({ embedding }) => embedding.length === SIZE)
      if (isRight || variant === 'buggy')
        for (const { index: place, embedding } of data) index.push({ note: NOTES[place]!, vector: embedding })
    } catch {}
    const numbers = index.flatMap(({ vector }) => NOTES.map((_, place) => vector[SIZE - 1 - place]))
    if (numbers.some((number) => number === undefined)) throw new Error('A search compares numbers with nothing')
  },
  size: 1,
  failsUnder: ['wrong-answer'],
}
