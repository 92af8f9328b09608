/** The client of Redis is loaded from the user's packages, in Node only. */
import { afterEach, expect, test, vi } from 'vitest'
import { createMock, isMockError } from '../../src/index.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const SHARED = { limits: { shared: 'redis://127.0.0.1:6379', requests: '3 per minute' } } as const

function errorOf(run: () => unknown): Error {
  try {
    run()
  } catch (error) {
    return error as Error
  }
  throw new Error('expected an error')
}

test('without the package, a mock with shared limits says which command installs it', () => {
  const load = process.getBuiltinModule
  const missing = Object.assign(new Error("Cannot find module '@redis/client'"), { code: 'MODULE_NOT_FOUND' })
  const createRequire = () => () => {
    throw missing
  }
  vi.spyOn(process, 'getBuiltinModule').mockImplementation(((name: string) =>
    name === 'module' ? { createRequire } : load(name)) as typeof load)
  const error = errorOf(() => createMock(SHARED))
  expect(isMockError(error, 'missing-package')).toBe(true)
  expect(error.message).toContain('Run: npm install @redis/client')
  expect(createMock().scenario.name).toBe('default')
})

test('in a page, a mock with shared limits is refused', () => {
  vi.spyOn(process as { getBuiltinModule: unknown }, 'getBuiltinModule', 'get').mockReturnValue(undefined)
  const error = errorOf(() => createMock(SHARED))
  expect(isMockError(error, 'unsupported-scenario')).toBe(true)
  expect(error.message).toContain('limits.shared needs Node')
})
