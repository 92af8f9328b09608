/** What the two faults of a proxy in front of the service have in common: an answer that is not in the envelope. */
import { type Fault, faultWith } from '../fault.ts'

interface ProxyFault {
  readonly name: string
  readonly summary: string
  readonly status: number
  readonly title: string
  readonly sentence: string
}

export function proxyFault({ name, summary, status, title, sentence }: ProxyFault): Fault {
  const html =
    `<!DOCTYPE html>\n<html>\n<head><title>${status} ${title}</title></head>\n` +
    `<body>\n<h1>${status} ${title}</h1>\n<p>${sentence}</p>\n</body>\n</html>\n`
  return faultWith({
    kind: 'answer',
    name,
    summary,
    options: {
      body: { kind: 'choice', of: ['html', 'json'], default: 'html', summary: 'what the proxy answers in' },
    },
    answer: (_, { body }) =>
      body === 'html'
        ? { status, contentType: 'text/html', page: html }
        : { status, contentType: 'application/json', page: JSON.stringify({ message: sentence }) },
  })
}
