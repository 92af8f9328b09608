import { configDefaults, defineConfig } from 'vitest/config'

// The browser's tests need a Chromium; they have a config of their own: test/browser/vitest.config.ts.
export default defineConfig({
  test: {
    // Only to end a test that hangs: no assertion is on time, and machines are slow when they are busy.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Much of a test here is waiting for sockets and processes, so no core is kept back for Vitest itself.
    maxWorkers: '100%',
    exclude: [...configDefaults.exclude, 'test/browser/**'],
  },
})
