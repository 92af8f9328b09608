/**
 * A preset of Jest for CommonJS projects: `preset: 'llm-api-mock'`. msw 2 uses packages that are ES modules only, which the
 * `require` of Jest does not take; jest-transform.cjs converts them.
 */
const ES_MODULES = '(?:@open-draft/deferred-promise|rettime|until-async)/'
// The last node_modules of a path counts, because packages may be nested, or in the store of pnpm.
const LAST = '(?!.*/node_modules/)'

module.exports = {
  transform: {
    [`/node_modules/${ES_MODULES}${LAST}`]: require.resolve('./jest-transform.cjs'),
    // The default of Jest, which a preset with transforms replaces.
    '\\.[jt]sx?$': 'babel-jest',
  },
  transformIgnorePatterns: [`/node_modules/${LAST}(?!${ES_MODULES})`],
}
