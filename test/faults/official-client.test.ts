/** The official client's view of each fault; test/clients does the same with its newest version. */
import OpenAI from 'openai'
import { testFaultsWith } from '../support/client-view.ts'

testFaultsWith(OpenAI, {
  // Version 6 takes a stream that breaks off within its gzip for a whole one.
  'truncated-gzip': { stream: '3', whole: 'SyntaxError' },
})
