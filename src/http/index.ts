/** The door of this room: the player for node:http. Other rooms import nothing else of it. */

export { Connections } from './connections.ts'
export { bind, createHttpServer, type Handler, hasRepeatedHost, REPEATED_HOST } from './http-server.ts'
export { isLarge, LargeRequests } from './large-requests.ts'
export { isBasePath, isLoopback, LISTEN_OPTIONS, type ListenOptions, METRICS_NAMES } from './listen-options.ts'
export { start } from './play-http.ts'
export { createRouter, HEALTH_PATHS, pathOf } from './request-router.ts'
export { sendServerError } from './send-error.ts'
export { createServing, serve } from './serve.ts'
export { UnreadAnswers } from './unread-answers.ts'
