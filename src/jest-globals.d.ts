/** The part of Jest that its entry point uses: Jest is not installed with the project. */
declare module '@jest/globals' {
  type Hook = (run: () => void) => void
  export const beforeAll: Hook
  export const beforeEach: Hook
  export const afterAll: Hook
  export const describe: (name: string, run: () => void) => void
  export const test: (name: string, run: () => Promise<void>, timeout?: number) => void
  export const expect: {
    extend(matchers: object): void
    getState(): { readonly currentTestName?: string }
  }
}

declare module 'expect' {
  // biome-ignore lint/correctness/noUnusedVariables: the entry point for Jest adds to this interface
  interface Matchers<R extends void | Promise<void>, T = unknown> {}
}
