/** Turns the ES modules of the preset into CommonJS. They import and export lists of names, and nothing else. */
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
  // Jest keeps what it has transformed.
  getCacheKey: (source) => createHash('sha256').update(`1${source}`).digest('hex'),
}
