/** The tokenizers of a page, which has no files. */
import { expect, test, vi } from 'vitest'
import { tokenizer } from '../../src/engine/tokenizers.ts'

test('a page imports all tables before its first call', async () => {
  vi.resetModules()
  const getBuiltinModule = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined)
  const page = await import('../../src/engine/tokenizers.ts').finally(() => getBuiltinModule.mockRestore())
  expect(() => page.tokenizer('o200k_base')).toThrow('not loaded')
  await page.loadTokenizers()
  for (const encoding of ['o200k_base', 'cl100k_base'] as const) {
    const text = 'Überraschung! 世界 '.repeat(10)
    expect(page.tokenizer(encoding).pieces(text)).toEqual(tokenizer(encoding).pieces(text))
  }
})
