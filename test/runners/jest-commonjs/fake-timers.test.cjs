const { useMock } = require('llm-api-mock/jest')

const mock = useMock()

afterEach(() => jest.useRealTimers())

test('under fake timers, a client that gives up on a call that hangs gets its own error, not a 500 of msw', async () => {
  jest.useFakeTimers()
  mock.inject('hang')
  const call = fetch(`${mock.baseURL}/models`, {
    headers: { authorization: `Bearer ${mock.key}` },
    signal: abortAfter(1000),
  })
  const failed = expect(call).rejects.toThrow('This operation was aborted')
  await jest.advanceTimersByTimeAsync(1000)
  await failed
})

/** @param {number} ms */
function abortAfter(ms) {
  const controller = new AbortController()
  setTimeout(() => controller.abort(), ms)
  return controller.signal
}
