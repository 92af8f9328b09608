/** A program of its own: a server with little memory, whose clients read nothing. It says how many calls it has, and how they ended. */
import { createMock } from '../../src/index.ts'
import { listen } from '../../src/node.ts'

const pace = process.argv[2] === 'paced' ? { pace: { perToken: '1ms' } as const } : {}
const mock = createMock({ description: 'A test.', ...pace }, { speed: 1000 })
const server = await listen(mock, { port: 0 })
process.on('message', () => process.send!(mock.journal.map(({ outcome }) => outcome)))
process.on('disconnect', () => process.exit())
process.send!(server.port)
