/**
 * The faults that a hunt tries, in classes of failures that most clients handle alike.
 *
 * A class has one fault that stands for it, its representative, and variants: `bad-request` has `invalid-request`, then `401`,
 * `403` and others. A fault is a text with its options, such as `cut; before=finish`. In a scenario it has fields:
 * `{ fault: cut, before: finish }`.
 */

/** The content of an answer. It decides what a wrong answer looks like. */
export type AnswerKind = 'text' | 'json' | 'tool calls' | 'embeddings'

/** Properties of a call that are known before it is broken. */
export interface CallTraits {
  readonly content: AnswerKind
  readonly isStream: boolean
}

/** A fault as a scenario has it: `{ fault: cut, before: finish }`. */
export type FaultFields = Readonly<Record<string, string | number>> & { readonly fault: string }

/** The representative of a class, and its variants, each of which is tried alone. */
type FaultTexts = readonly [representative: string, ...variants: string[]]

interface FaultClass {
  readonly about: string
  /** Duration of its runs, relative to those of other classes. Default: 1. */
  readonly cost?: number
  /** The faults, for each kind of answers if they are not the same for all. */
  readonly faults:
    | FaultTexts
    | { readonly stream: FaultTexts; readonly whole: FaultTexts }
    | Readonly<Record<AnswerKind, FaultTexts>>
}

/** The classes; those that are quick to try come first. */
export const FAULT_CLASSES = {
  'server-error': {
    about: 'an error that clients retry',
    faults: ['server-error; retryAfter=0s', ...[502, 503, 504, 408, 409].map((status) => `${status}; retryAfter=0s`)],
  },
  'rate-limit': {
    about: 'a 429 with a short wait',
    faults: ['rate-limit; retryAfter=1s', 'rate-limit-tokens; retryAfter=1s', 'quota; retryAfter=0s'],
  },
  'bad-request': {
    about: 'an error that clients do not retry',
    faults: ['invalid-request', '401', '403', '404', '422'],
  },
  'broken-connection': {
    about: 'a connection that breaks before the headers',
    faults: ['reset-before-headers', 'empty-reply', 'reset-after-headers'],
  },
  cut: {
    about: 'an answer that breaks off in the middle',
    faults: {
      stream: ['cut; after=2', 'cut; before=finish', 'cut; before=done'],
      whole: ['half-body', 'truncated-gzip'],
    },
  },
  'early-end': {
    about: 'an answer that ends in the middle as if it were complete',
    faults: {
      stream: [
        'cut; after=2; end=clean',
        'cut; after=0; end=clean',
        'cut; before=finish; end=clean',
        'cut; before=done; end=clean',
      ],
      whole: ['cut; end=clean'],
    },
  },
  unfinished: {
    about: 'an answer that ends in the middle, with the finish_reason `length`',
    faults: ['unfinished', 'unfinished; reason=content_filter'],
  },
  'wrong-answer': {
    about: 'an answer that says nothing useful: an empty text, cut JSON, a vector of the wrong length',
    faults: {
      // Not other-language: no client can tell a good answer in another language.
      text: ['empty-text', 'refusal'],
      json: ['truncated-json', 'refusal', 'missing-required', 'wrong-type', 'wrong-enum'],
      'tool calls': ['truncated-json', 'missing-required', 'wrong-type', 'undeclared-tool'],
      embeddings: ['wrong-dimension', 'shuffled-embeddings'],
    },
  },
  slow: {
    about: 'an answer that takes 5 seconds or more',
    cost: 10,
    faults: ['delay; by=5s', 'slow-drip; size=100; interval=2s'],
  },
  hang: {
    about: 'no answer at all',
    cost: 20,
    faults: ['hang'],
  },
} as const satisfies Record<string, FaultClass>

export type FaultClassName = keyof typeof FAULT_CLASSES
export const FAULT_CLASS_NAMES = Object.keys(FAULT_CLASSES) as readonly FaultClassName[]

export const isFaultClass = (fault: string): fault is FaultClassName => Object.hasOwn(FAULT_CLASSES, fault)

/** The classes by their faults. */
const CLASS_OF = new Map(
  Object.entries(FAULT_CLASSES).flatMap(([name, { faults }]) =>
    (Array.isArray(faults) ? faults : Object.values(faults).flat()).map((fault: string) => [fault, name] as const),
  ),
)

/** The class of a fault; the fault itself if it has none, such as a cut at one place. */
export const classOf = (fault: string): string => (isFaultClass(fault) ? fault : (CLASS_OF.get(fault) ?? fault))

/** Duration of runs with a fault, relative to others. */
export function costOf(fault: string): number {
  const classes: Readonly<Record<string, FaultClass>> = FAULT_CLASSES
  return classes[classOf(fault)]?.cost ?? 1
}

/** The faults of a class for a call, the representative first; for anything but the name of a class, only itself. */
export function faultsOfClass(fault: string, { isStream, content }: CallTraits): FaultTexts {
  if (!isFaultClass(fault)) return [fault]
  const { faults }: FaultClass = FAULT_CLASSES[fault]
  if ('stream' in faults) return isStream ? faults.stream : faults.whole
  return 'text' in faults ? faults[content] : faults
}

/** The fields of a fault for a call: `cut; after=3` has `{ fault: 'cut', after: 3 }`, and a class those of its representative. */
export function faultFields(fault: string, call: CallTraits): FaultFields {
  const [text] = faultsOfClass(fault, call)
  // `server-error;` is the fault, and `server-error` the class.
  const [name = '', ...options] = text.replace(/;$/, '').split('; ')
  const values = options.map((option): [string, string | number] => {
    const [field = '', value = ''] = option.split('=')
    return [field, /^\d+$/.test(value) ? Number(value) : value]
  })
  return { fault: name, ...Object.fromEntries(values) }
}

/** A fault as a text: `cut; before=finish`. */
export const faultText = ({ fault, ...options }: FaultFields): string =>
  [fault, ...Object.entries(options).map(([name, value]) => `${name}=${value}`)].join('; ')
