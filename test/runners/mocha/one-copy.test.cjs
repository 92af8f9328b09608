const { expect } = require('expect')
const { createMock } = require('llm-api-mock')
const { RequestHandler } = require('msw')

it('require and import give one copy of the package and of msw', async () => {
  expect(createMock).toBe((await import('llm-api-mock')).createMock)
  expect(createMock().handlers[0]).toBeInstanceOf(RequestHandler)
})
