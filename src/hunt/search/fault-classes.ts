/** The faults that a hunt tries: one for each class of failures that a client can tell apart. */

/** The content of an answer. It decides what a wrong answer looks like. */
export type AnswerContent = 'text' | 'json' | 'tool calls' | 'embeddings'

/** Properties of a call that are known before it is broken. */
export interface CallTraits {
  readonly content: AnswerContent
  readonly isStream: boolean
}

/** A fault as a scenario has it: `{ fault: cut, before: finish }`. */
export type FaultFields = Readonly<Record<string, string | number>> & { readonly fault: string }

interface FaultClass {
  readonly about: string
  /** The fault of the class for a call. */
  readonly faultFor: (call: CallTraits) => FaultFields
  /** Other faults of the class, which are tried once a finding is confirmed. */
  readonly variants?: (call: CallTraits) => readonly string[]
}

/** The classes; those that are quick to try come first. */
export const FAULT_CLASSES = {
  'server-error': {
    about: 'an error that clients retry',
    faultFor: () => ({ fault: 'server-error', retryAfter: '0s' }),
    variants: () => [502, 503, 504, 408, 409].map((status) => `${status}; retryAfter=0s`),
  },
  'rate-limit': {
    about: 'a 429 with a short wait',
    faultFor: () => ({ fault: 'rate-limit', retryAfter: '1s' }),
    variants: () => ['rate-limit-tokens; retryAfter=1s', 'quota; retryAfter=0s'],
  },
  'bad-request': {
    about: 'an error that clients do not retry',
    faultFor: () => ({ fault: 'invalid-request' }),
    variants: () => ['401', '403', '404', '422'],
  },
  'broken-connection': {
    about: 'a connection that breaks before the headers',
    faultFor: () => ({ fault: 'reset-before-headers' }),
    variants: () => ['empty-reply', 'reset-after-headers'],
  },
  cut: {
    about: 'an answer that breaks off in the middle',
    faultFor: ({ isStream }) => (isStream ? { fault: 'cut', after: 2 } : { fault: 'half-body' }),
    variants: ({ isStream }) => (isStream ? ['cut; before=finish', 'cut; before=done'] : ['truncated-gzip']),
  },
  'early-end': {
    about: 'an answer that ends in the middle as if it were complete',
    faultFor: ({ isStream }) => (isStream ? { fault: 'cut', after: 2, end: 'clean' } : { fault: 'cut', end: 'clean' }),
    variants: ({ isStream }) =>
      isStream ? ['cut; after=0; end=clean', 'cut; before=finish; end=clean', 'cut; before=done; end=clean'] : [],
  },
  unfinished: {
    about: 'an answer that ends in the middle, with the finish_reason `length`',
    faultFor: () => ({ fault: 'unfinished' }),
    variants: () => ['unfinished; reason=content_filter'],
  },
  'wrong-answer': {
    about: 'an answer that says nothing useful: an empty text, cut JSON, a vector of the wrong length',
    faultFor: ({ content }) => WRONG[content],
    variants: ({ content }) => OTHER_WRONG[content],
  },
  hang: {
    about: 'no answer at all',
    faultFor: () => ({ fault: 'hang' }),
  },
} as const satisfies Record<string, FaultClass>

const WRONG: Readonly<Record<AnswerContent, FaultFields>> = {
  text: { fault: 'empty-text' },
  json: { fault: 'truncated-json' },
  'tool calls': { fault: 'truncated-json' },
  embeddings: { fault: 'wrong-dimension' },
}

const OTHER_WRONG: Readonly<Record<AnswerContent, readonly string[]>> = {
  text: ['refusal', 'other-language'],
  json: ['refusal', 'missing-required', 'wrong-type', 'wrong-enum'],
  'tool calls': ['missing-required', 'wrong-type', 'undeclared-tool'],
  embeddings: ['shuffled-embeddings'],
}

export type FaultClassName = keyof typeof FAULT_CLASSES
export const FAULT_CLASS_NAMES = Object.keys(FAULT_CLASSES) as readonly FaultClassName[]

/** Other faults of the same class; empty for a fault without a class, such as a cut at one place. */
export function variantsOf(fault: string, call: CallTraits): readonly string[] {
  const fields: FaultClass | undefined = isFaultClass(fault) ? FAULT_CLASSES[fault] : undefined
  return fields?.variants?.(call) ?? []
}

/** The fields of a fault that a class or a text such as `cut; after=3` names, for a call. */
export function faultFields(fault: string, call: CallTraits): FaultFields {
  if (isFaultClass(fault)) return FAULT_CLASSES[fault].faultFor(call)
  const [name = '', ...options] = fault.replace(/;$/, '').split('; ')
  const values = options.map((option): [string, string | number] => {
    const [field = '', value = ''] = option.split('=')
    return [field, /^\d+$/.test(value) ? Number(value) : value]
  })
  return { ...Object.fromEntries(values), fault: name }
}

/** A fault as a text: `cut; before=finish`. */
export const faultText = ({ fault, ...options }: FaultFields): string =>
  [fault, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)].join('; ')

/** The same, for a fault whose name may be that of a class too: `server-error;` is the fault without options. */
export function namedFaultText(fields: FaultFields): string {
  const text = faultText(fields)
  return isFaultClass(text) ? `${text};` : text
}

export const isFaultClass = (fault: string): fault is FaultClassName => Object.hasOwn(FAULT_CLASSES, fault)
