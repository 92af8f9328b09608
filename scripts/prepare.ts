/**
 * Builds, when npm installs (`prepublish`) or packs (`prepack`) the clone; a script `prepare` would do both, but npm 11 warns
 * about it in the projects of users. The first `npx api-mock` in a clone also runs it, as npm links the clone into
 * its cache then; that would take half a minute, and delete the build if it was stopped.
 */
import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const isRunByNpx = process.env.npm_command === 'exec'
if (!isRunByNpx || !existsSync('dist/cli/main.js')) execSync('npm run build', { stdio: 'inherit' })
