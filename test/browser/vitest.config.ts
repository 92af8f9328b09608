import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: new URL('../..', import.meta.url).pathname,
  test: { include: ['test/browser/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
})
