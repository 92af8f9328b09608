module.exports = { preset: 'llm-api-mock' }
