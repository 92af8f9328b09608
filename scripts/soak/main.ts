/**
 * The soak: `npm run build && npm run soak [-- --calls 1000000 --connections 48]`. It ends by itself, with a table and
 * exit code 1 when something is not as it must be.
 */
import { parseArgs } from 'node:util'
import { soak } from './soak.ts'
import { LEAST_FOR_MEMORY } from './verdict.ts'

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '1000000' }, connections: { type: 'string', default: '48' } },
})
const [calls, connections] = [wholeNumber('calls'), wholeNumber('connections')]

console.log(`soak: ${calls} calls over ${connections} connections, Node ${process.version}`)
if (calls < LEAST_FOR_MEMORY) console.log(`Memory is judged from ${LEAST_FOR_MEMORY} calls on.`)
const checks = await soak({ calls, connections, say: console.log })
for (const { name, found, isRight } of checks) console.log(`${isRight ? 'ok  ' : 'FAIL'} ${name.padEnd(46)} ${found}`)
const failed = checks.filter(({ isRight }) => !isRight).length
console.log(failed === 0 ? 'All is as it must be.' : `${failed} of ${checks.length} checks failed.`)
process.exitCode = failed === 0 ? 0 : 1

function wholeNumber(name: 'calls' | 'connections'): number {
  if (/^[1-9]\d{0,8}$/.test(values[name])) return Number(values[name])
  throw new Error(`Failed to soak: found --${name} ${values[name]}, allowed is a whole number from 1.`)
}
