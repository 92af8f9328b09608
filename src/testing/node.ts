/** The door of this room for Node: other rooms import the parts that a browser cannot load from here. */
export { RunnerMock, type UseMockOptions, useMockWith } from './test-mock.ts'
