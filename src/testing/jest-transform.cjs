/**
 * Converts the ES modules that jest-preset.cjs names into CommonJS. They import and export lists of names, and nothing else:
 *
 *     import { a as b } from 'x'      const { a: b } = require('x')
 *     export { c as d }               module.exports = { d: c }
 */
const { createHash } = require('node:crypto')

const IMPORT = /^import \{([^}]*)\} from (['"][^'"]+['"]);?$/gm
const EXPORT = /^export \{([^}]*)\};?$/gm
const RENAMED = /([\w$]+) as ([\w$]+)/g

module.exports = {
  process(source, path) {
    const code = source
      .replace(IMPORT, (_, names, from) => `const {${names.replace(RENAMED, '$1: $2')}} = require(${from})`)
      .replace(EXPORT, (_, names) => `module.exports = {${names.replace(RENAMED, '$2: $1')}}`)
    if (/^(?:import|export)\b/m.test(code)) {
      throw new Error(`llm-api-mock: failed to convert ${path}. Let Babel transform it: see docs/testing.md#jest.`)
    }
    return { code }
  },
  // Jest caches converted files. Raise the number when `process` changes.
  getCacheKey: (source) => createHash('sha256').update(`1${source}`).digest('hex'),
}
