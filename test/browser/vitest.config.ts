/** The configuration of the tests in a browser, which run one file after the other. */
import { defineConfig } from 'vitest/config'

// One Chromium at a time: what a page has not read when a stream breaks is lost to it, and a busy machine reads late.
export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: { include: ['test/browser/*.test.ts'], fileParallelism: false, testTimeout: 30_000, hookTimeout: 60_000 },
})
