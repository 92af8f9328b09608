module.exports = { ...require('../jest-commonjs/jest.config.cjs'), testMatch: ['**/*.test.cjs'], rootDir: '.' }
