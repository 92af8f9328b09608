/** What a hostile call is, and short ways to write one. */

export interface HostileCall {
  /** What is large or odd about it. */
  readonly name: string
  /** Below the base URL. */
  readonly path: string
  /** Made when it is sent: all of them together are hundreds of megabytes. */
  readonly body: () => string
}

type Fields = Readonly<Record<string, unknown>>

/** A chat with these fields beside one short message. */
export const chat = (name: string, fields: () => Fields): HostileCall => ({
  name,
  path: '/chat/completions',
  body: () => JSON.stringify({ model: 'echo-1', messages: [{ role: 'user', content: 'Hello' }], ...fields() }),
})

/** A chat with this text as its message, and with these fields. */
export const chatAbout = (name: string, text: () => string, fields: Fields = {}): HostileCall =>
  chat(name, () => ({ messages: [{ role: 'user', content: text() }], ...fields }))

/** A chat whose answer has to follow this schema: in a field, because the service wants an object at the root. */
export const chatFor = (name: string, schema: () => Fields): HostileCall =>
  chat(name, () => {
    const { $defs, ...answer } = schema()
    const whole = {
      type: 'object',
      properties: { answer },
      required: ['answer'],
      ...($defs !== undefined && { $defs }),
    }
    return {
      messages: [{ role: 'user', content: 'Answer as JSON.' }],
      response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: whole } },
    }
  })

/** A chat with a field that is written as text, for what JSON.stringify can't write. */
export const chatWith = (name: string, field: () => string): HostileCall => ({
  name,
  path: '/chat/completions',
  body: () => `{"model":"echo-1","messages":[{"role":"user","content":"Hello"}],${field()}}`,
})

export const embeddings = (name: string, fields: () => Fields): HostileCall => ({
  name,
  path: '/embeddings',
  body: () => JSON.stringify({ model: 'hash-1', ...fields() }),
})
