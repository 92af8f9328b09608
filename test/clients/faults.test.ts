/** The newest official client's view of each fault. */
import OpenAI from 'openai'
import { testFaultsWith } from '../support/client-view.ts'

// biome-ignore lint/suspicious/noExplicitAny: the client of this folder is another version than the one that the types are of.
testFaultsWith(OpenAI as any)
