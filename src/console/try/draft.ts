/** The call that is being written in the form. It is kept while other views are shown. */
import { signal } from '@preact/signals'
import type { JsonObject } from '../../core/lib/text/json.ts'

/** An empty text stands for a value that the form suggests. */
export interface Draft {
  readonly message: string
  readonly model: string
  readonly key: string
  readonly isStream: boolean
}

export const draft = signal<Draft>({ message: '', model: '', key: '', isStream: true })

export const toBody = ({ message, model, isStream }: Draft): JsonObject => ({
  model,
  messages: [{ role: 'user', content: message }],
  ...(isStream && { stream: true }),
})
