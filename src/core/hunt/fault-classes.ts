/** The faults that a hunt tries: one for each class of failures that a client can tell apart. */

/** What an answer contains. It decides what a wrong answer looks like. */
export type Content = 'text' | 'json' | 'tool calls' | 'embeddings'

/** What is known of a call before it is broken. */
export interface CallTraits {
  readonly content: Content
  readonly isStream: boolean
}

/** A fault as a scenario has it: `{ fault: cut, before: finish }`. */
export type FaultFields = Readonly<Record<string, string | number>> & { readonly fault: string }

interface FaultClass {
  readonly about: string
  /** The fault of the class for a call. */
  readonly faultFor: (call: CallTraits) => FaultFields
}

/** The classes; those that are quick to try come first. */
export const FAULT_CLASSES = {
  'server-error': {
    about: 'an error that clients retry',
    faultFor: () => ({ fault: 'server-error', retryAfter: '0s' }),
  },
  'rate-limit': {
    about: 'a 429 with a short wait',
    faultFor: () => ({ fault: 'rate-limit', retryAfter: '1s' }),
  },
  'bad-request': {
    about: 'an error that clients do not retry',
    faultFor: () => ({ fault: 'invalid-request' }),
  },
  'broken-connection': {
    about: 'a connection that breaks before the headers',
    faultFor: () => ({ fault: 'reset-before-headers' }),
  },
  cut: {
    about: 'an answer that breaks off in the middle',
    faultFor: ({ isStream }) => (isStream ? { fault: 'cut', after: 2 } : { fault: 'half-body' }),
  },
  'early-end': {
    about: 'an answer that ends in the middle as if it were complete',
    faultFor: ({ isStream }) => (isStream ? { fault: 'cut', after: 2, end: 'clean' } : { fault: 'cut', end: 'clean' }),
  },
  unfinished: {
    about: 'an answer that ends in the middle, with the finish_reason `length`',
    faultFor: () => ({ fault: 'unfinished' }),
  },
  'wrong-answer': {
    about: 'an answer that says nothing useful: an empty text, cut JSON, a vector of the wrong length',
    faultFor: ({ content }) => WRONG[content],
  },
  hang: {
    about: 'no answer at all',
    faultFor: () => ({ fault: 'hang' }),
  },
} as const satisfies Record<string, FaultClass>

const WRONG: Readonly<Record<Content, FaultFields>> = {
  text: { fault: 'empty-text' },
  json: { fault: 'truncated-json' },
  'tool calls': { fault: 'truncated-json' },
  embeddings: { fault: 'wrong-dimension' },
}

export type FaultClassName = keyof typeof FAULT_CLASSES
export const FAULT_CLASS_NAMES = Object.keys(FAULT_CLASSES) as readonly FaultClassName[]

/** The fields of a fault that a class or a text such as `cut; after=3` names, for a call. */
export function faultFields(fault: string, call: CallTraits): FaultFields {
  if (isFaultClass(fault)) return FAULT_CLASSES[fault].faultFor(call)
  const [name = '', ...options] = fault.split('; ')
  const values = options.map((option): [string, string | number] => {
    const [field = '', value = ''] = option.split('=')
    return [field, /^\d+$/.test(value) ? Number(value) : value]
  })
  return { ...Object.fromEntries(values), fault: name }
}

/** A fault as a text: `cut; before=finish`. */
export const faultText = ({ fault, ...options }: FaultFields): string =>
  [fault, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)].join('; ')

export const isFaultClass = (fault: string): fault is FaultClassName => Object.hasOwn(FAULT_CLASSES, fault)
