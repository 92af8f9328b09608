/** The door of this room: the handlers of a mock. Other rooms import nothing else of it. */
export { handlersOf } from './handlers.ts'
