/** The environment of a command that calls a mock. */
import type { Mock } from '../engine/mock.ts'
import type { MockServer } from './listen.ts'

/** A mock that listens. */
interface Served {
  readonly mock: Mock
  readonly server: MockServer
  /** The token of the control plane, if it requires one. */
  readonly token?: string | undefined
}

/** The variables of this process, and those that clients read the address and the key from. */
export const commandEnvironment = ({ mock, server, token }: Served): NodeJS.ProcessEnv => ({
  ...process.env,
  OPENAI_BASE_URL: server.url,
  OPENAI_API_KEY: mock.scenario.exampleKey,
  API_MOCK_URL: new URL(server.url).origin,
  ...(token !== undefined && { API_MOCK_TOKEN: token }),
})
