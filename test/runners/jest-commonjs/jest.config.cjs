// Before Node 24.9, Jest cannot require ES modules. msw 2 uses three packages that have nothing else.
module.exports = {
  transform: { 'node_modules/.+\\.m?js$': ['babel-jest', { plugins: ['@babel/plugin-transform-modules-commonjs'] }] },
  transformIgnorePatterns: ['/node_modules/(?!(@open-draft/deferred-promise|rettime|until-async)/)'],
}
