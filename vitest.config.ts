import { configDefaults, defineConfig } from 'vitest/config'

// The browser's tests need a Chromium; they have a config of their own: test/browser/vitest.config.ts.
export default defineConfig({ test: { exclude: [...configDefaults.exclude, 'test/browser/**'] } })
