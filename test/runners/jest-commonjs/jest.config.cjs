// msw 2 uses three packages that are ES modules only, which the require of Jest does not take.
module.exports = {
  transform: { 'node_modules/.+\\.m?js$': ['babel-jest', { plugins: ['@babel/plugin-transform-modules-commonjs'] }] },
  transformIgnorePatterns: ['/node_modules/(?!(@open-draft/deferred-promise|rettime|until-async)/)'],
}
