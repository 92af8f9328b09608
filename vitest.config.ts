/** The suites: `npm test` runs `pure` and `parts`; each other one has a script of its own. `.ci/run` runs all of them. */
import { defineConfig } from 'vitest/config'

/** Tests of functions and of mocks without a transport. They leave nothing behind, so they share their modules. */
const pure = [
  'test/{bench,console,core,journal}/**/*.test.ts',
  'test/clock/{manual-clock,timing}.test.ts',
  'test/faults/{answer,fault-types,schedules,semantic,stream-and-wire}.test.ts',
]
const clients = ['test/clients/**/*.test.ts']
const fuzz = ['test/fuzz/**/*.test.ts']
const soak = ['test/soak/**/*.test.ts']
/** What takes long and rarely changes: the packed package, and floods on servers with little memory. */
const slow = [
  'test/robustness/amplification.test.ts',
  'test/security/{slow-patterns,unbounded}.test.ts',
  'test/project/package.test.ts',
]
// These need a Chromium and have a config of their own: test/browser/vitest.config.ts.
const browser = ['test/browser/**']

const shared = {
  // Only to end a test that hangs: no assertion is on time, and machines are slow when they are busy.
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    // Many tests wait for sockets and processes, so no core is kept back for Vitest itself.
    maxWorkers: '100%',
    projects: [
      { test: { ...shared, name: 'pure', include: pure, pool: 'threads', isolate: false } },
      {
        test: {
          ...shared,
          name: 'parts',
          globalSetup: 'test/cli/bundle-program.ts',
          include: ['test/**/*.test.ts'],
          exclude: [...pure, ...clients, ...fuzz, ...soak, ...slow, ...browser, '**/node_modules/**'],
        },
      },
      { test: { ...shared, name: 'clients', include: clients } },
      { test: { ...shared, name: 'fuzz', include: fuzz } },
      { test: { ...shared, name: 'soak', include: soak } },
      { test: { ...shared, name: 'slow', include: slow, testTimeout: 400_000 } },
    ],
  },
})
