/** Makes the built program executable: tsc keeps its first line, but not the mode it needs. */
import { chmodSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

chmodSync(fileURLToPath(new URL('../../dist/shell/cli/main.js', import.meta.url)), 0o755)
