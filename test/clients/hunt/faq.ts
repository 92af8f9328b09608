/** Answers of a FAQ, each asked once and kept. The bug: a failed request is kept too, and fails for everybody after it. */
import axios from 'axios'
import type { HuntedApp } from './hunted-app.ts'

export const faq: HuntedApp = {
  name: 'faq',
  client: 'axios',
  bug: 'a failure is kept',
  scenario: { replies: [{ say: 'Within two weeks.' }] },
  async use({ baseURL, key }, variant) {
    const kept = new Map<string, Promise<string>>()
    let asked = 0
    const answer = (question: string): Promise<string> => {
      const known = kept.get(question)
      if (known !== undefined) return known
      asked++
      const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: question }] }
      const headers = { authorization: `Bearer ${key}` }
      const asking = axios
        .post(`${baseURL}/chat/completions`, body, { headers, timeout: 20_000 })
        .then(({ data }) => String(data.choices[0].message.content))
      kept.set(question, asking)
      if (variant === 'fixed') asking.catch(() => kept.delete(question))
      return asking
    }
    const question = 'When is my refund paid?'
    const first = await answer(question).catch(() => undefined)
    const second = await answer(question).catch(() => undefined)
    if (first === undefined && second === undefined && asked === 1) throw new Error('A failure is kept for all users')
  },
  size: 1,
  failsUnder: ['server-error', 'rate-limit', 'bad-request', 'broken-connection', 'cut', 'early-end', 'hang'],
}
