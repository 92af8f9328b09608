/** Uses an app once, as a command: `run-app.js booking buggy`. The address and the key are in the environment. */
import { booking } from './booking.ts'
import type { Variant } from './hunted-app.ts'
import { summary } from './summary.ts'

const [name, variant] = process.argv.slice(2)
const { OPENAI_BASE_URL: baseURL = '', OPENAI_API_KEY: key = '' } = process.env
const app = [booking, summary].find((one) => one.name === name)!
await app.use({ baseURL, key }, variant as Variant)
