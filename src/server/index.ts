/** The door of this room: `listen` and the control plane. Other rooms import nothing else of it. */
export { entryJson } from './entry-json.ts'
export type { MockStatus } from './events/event-stream.ts'
export type { Hello } from './events/event-watcher.ts'
export type { NowStatus } from './events/now-status.ts'
export { commandEnvironment, listen, type MockServer, middleware } from './listen.ts'
export type { FileContent } from './scenario-file.ts'
export { textOf } from './scenario-text.ts'
