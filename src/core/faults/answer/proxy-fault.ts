/** Makes the two faults of a proxy in front of the service: a page that is not in the error envelope. */
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
    bareStatus: status,
    options: {
      body: { kind: 'choice', of: ['html', 'json'], default: 'html', summary: 'the format of the page' },
    },
    answer: (_, { body }) =>
      body === 'html'
        ? { status, contentType: 'text/html', page: html }
        : { status, contentType: 'application/json', page: JSON.stringify({ message: sentence }) },
  })
}
