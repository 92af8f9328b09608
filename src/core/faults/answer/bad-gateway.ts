/** 502: the page of a proxy that got no valid answer from the service. */
import { proxyFault } from './proxy-fault.ts'

export const badGateway = proxyFault({
  name: 'bad-gateway',
  summary: '502: a proxy in front of the service answers, with a page of its own and not in the envelope.',
  status: 502,
  title: 'Bad Gateway',
  sentence: 'The proxy got no valid answer from the server behind it.',
})
