/** 504: the page of a proxy that lost patience with the service. */
import { proxyFault } from './proxy-fault.ts'

export const gatewayTimeout = proxyFault({
  name: 'gateway-timeout',
  summary: '504: a proxy in front of the service lost patience, and says so with a page of its own.',
  status: 504,
  title: 'Gateway Time-out',
  sentence: 'The server behind the proxy took too long to answer.',
})
