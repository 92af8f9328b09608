/** Asks for the token of a mock that requires one. */
import type { JSX } from 'preact'
import { useRef } from 'preact/hooks'
import { api, connect, connection } from './store.ts'

export function TokenForm(): JSX.Element {
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: Event): void => {
    event.preventDefault()
    api.token = field.current!.value.trim()
    connection.value = 'connecting'
    connect()
  }
  return (
    <form class="token" onSubmit={submit}>
      <label for="token">This server needs the token that --token set, or that it printed when it started.</label>
      <div class="row">
        <input id="token" ref={field} type="password" autocomplete="off" required />
        <button type="submit" class="main">
          Use token
        </button>
      </div>
    </form>
  )
}
