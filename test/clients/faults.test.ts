/** The newest official client's view of each fault. */
import OpenAI from 'openai'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'
import { createMock } from '../../src/index.ts'
import { type Interception, intercept, listen, type MockServer } from '../../src/node.ts'

// biome-ignore lint/suspicious/noExplicitAny: the client of this folder is another version than the one that the types are of.
testFaultsWith(OpenAI as any)
