/** The door of this room for Node: other rooms import the parts that a browser cannot load from here. */
export { interceptFetch } from './direct-fetch.ts'
export {
  INTERCEPT_OPTIONS,
  type Interceptable,
  type Interception,
  type InterceptOptions,
  intercept,
} from './intercept.ts'
