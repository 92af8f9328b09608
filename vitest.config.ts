/**
 * The suites. `npm test` runs `pure`, `parts` and `isolated`; each other one has its own script; `.ci/run` runs all.
 *
 * Files of `pure` and of `parts` share their modules (`isolate: false`), because loading them takes longer than most tests.
 */
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** Tests of functions and of mocks without a transport. */
const pure = [
  'test/{bench,console,core,hunt/search}/**/*.test.ts',
  'test/clock/{manual-clock,timing}.test.ts',
  'test/faults/{answer,fault-types,responses,schedules,semantic,stream-and-wire,tool-calls}.test.ts',
]
/** Tests that start whole processes by the dozen or need a build: the command line, ends of servers, orders of calls, the examples of the docs. */
const programs = [
  'test/bench/contenders.test.ts',
  'test/cli/{cassettes,commands,convert,problems,record,rehearse,run,start,watch}.test.ts',
  'test/project/{docs,how-to}.test.ts',
  'test/same-bytes/*.test.ts',
  'test/server/shutdown.test.ts',
  'test/transports/process-end.test.ts',
]
/** Tests that replace modules, look at what is loaded, or share hooks that a module registers when it loads. */
const isolated = [
  'test/{cli/*,scenarios/files}.test.ts',
  'test/security/constant-time.test.ts',
  'test/server/control-plane/first-use.test.ts',
  'test/transports/{arrival-order,page-tables}.test.ts',
]
const clients = ['test/clients/**/*.test.ts']
/** The packed package in projects with other test runners: `npm run runners:install` installs those. */
const runners = ['test/runners/*.test.ts']
const fuzz = ['test/fuzz/**/*.test.ts']
const soak = ['test/soak/**/*.test.ts']
/** What takes long and rarely changes: the packed package, long property tests, floods and large bodies, hunts. */
const slow = [
  'test/core/decide/endpoints/{checks/responses-bodies,generation/satisfiable-schemas}.test.ts',
  'test/core/journal/bounds.test.ts',
  'test/core/lib/tokenizer/judge.test.ts',
  'test/hunt/{brute-force,small-apps}.test.ts',
  'test/hunt/command/{child-time,hunt-command,hunted-apps,python-apps}.test.ts',
  'test/core/lib/json-schema/property.test.ts',
  'test/core/scenario/check/never-a-false-alarm.test.ts',
  'test/robustness/{amplification,failing-more,failing-steps,never-read,rehearsals,unread}.test.ts',
  'test/security/{slow-patterns,unbounded}.test.ts',
  'test/project/{fresh-clone,package}.test.ts',
  'test/transports/same-bytes.test.ts',
]
/** Many machines, behind Debian's haproxy and nginx. */
const fleet = ['test/fleet/*.test.ts']
/** The image, built and run with Debian's buildah and busybox-static. */
const image = ['test/image/*.test.ts']
/** The recipes of docs/recipes and action.yml: with Debian's python3-pytest and golang-go, a JDK, and the package of the last build. */
const recipes = ['test/recipes/*.test.ts']
// These need a Chromium and have a config of their own: test/browser/vitest.config.ts.
const browser = ['test/browser/**']

const shared = {
  globalSetup: 'test/support/token-tables.ts',
  setupFiles: 'test/support/property-seed.ts',
  // Only to end a test that hangs: no assertion is on time, and machines are slow when they are busy.
  testTimeout: 120_000,
  hookTimeout: 120_000,
}

export default defineConfig({
  test: {
    // Many tests wait for sockets and processes. Two workers leave a quarter of two cores unused.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          ...shared,
          name: 'pure',
          include: pure,
          exclude: [...slow, ...programs],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'parts',
          isolate: false,
          include: ['test/**/*.test.ts'],
          exclude: [
            ...pure,
            ...isolated,
            ...programs,
            ...clients,
            ...runners,
            ...fuzz,
            ...soak,
            ...fleet,
            ...image,
            ...recipes,
            ...slow,
            ...browser,
            '**/node_modules/**',
          ],
        },
      },
      {
        test: {
          ...shared,
          name: 'isolated',
          globalSetup: [shared.globalSetup, 'test/cli/bundle-program.ts'],
          include: isolated,
          exclude: programs,
        },
      },
      {
        test: {
          ...shared,
          name: 'programs',
          globalSetup: [shared.globalSetup, 'test/cli/bundle-program.ts'],
          include: programs,
        },
      },
      { test: { ...shared, name: 'clients', include: clients } },
      { test: { ...shared, name: 'runners', include: runners } },
      { test: { ...shared, name: 'fuzz', include: fuzz } },
      { test: { ...shared, name: 'soak', include: soak } },
      {
        test: {
          ...shared,
          name: 'fleet',
          globalSetup: [shared.globalSetup, 'test/cli/bundle-program.ts'],
          include: fleet,
          fileParallelism: false,
          testTimeout: 400_000,
        },
      },
      {
        test: {
          ...shared,
          name: 'recipes',
          globalSetup: [shared.globalSetup, 'test/cli/bundle-program.ts'],
          include: recipes,
          testTimeout: 400_000,
        },
      },
      { test: { ...shared, name: 'image', include: image, testTimeout: 400_000, hookTimeout: 400_000 } },
      {
        test: {
          ...shared,
          name: 'slow',
          globalSetup: [shared.globalSetup, 'test/cli/bundle-program.ts'],
          include: slow,
          testTimeout: 400_000,
        },
      },
    ],
  },
})
