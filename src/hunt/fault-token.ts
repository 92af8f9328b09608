/**
 * Replay tokens: a set of faults as one word without spaces, which a shell takes as it is, with the settings of the hunt
 * that a replay needs.
 *
 * `k3f9x0a1b2c:every:cut:after=2,qq11:1:hang,seed=7` has two faults, each with its call, attempt and options, then a setting:
 *
 *     { faults: [{ call: 'k3f9x0a1b2c', attempt: 'every', fault: 'cut; after=2' }, { call: 'qq11', attempt: 1, fault: 'hang' }],
 *       settings: { seed: ['7'] } }
 */
import { decodePercent } from '../core/lib/text/bytes.ts'
import { shorten } from '../core/lib/text/wording.ts'
import { faultFields, faultText } from './search/fault-classes.ts'
import { type FaultSet, type PlannedFault, withFault } from './search/fault-set.ts'
import { type KnownCalls, knownCall } from './search/known-calls.ts'

/** Settings as texts, each with its values. */
export type SettingTexts = Readonly<Record<string, readonly string[]>>

/** A token that was read. */
export interface ReplayToken {
  readonly faults: FaultSet
  readonly settings: SettingTexts
}

export function writeToken(faults: FaultSet, known: KnownCalls, settings: SettingTexts): string {
  const parts = faults.map(({ call, attempt, fault }) => {
    const options = faultText(faultFields(fault, knownCall(call, known))).split('; ')
    return [call, String(attempt), ...options].map(encode).join(':').replaceAll('%3D', '=')
  })
  const named = Object.entries(settings).flatMap(([name, values]) => values.map((value) => `${name}=${encode(value)}`))
  return [...parts, ...named].join(',')
}

/**
 * @param option the name of the option, for messages
 * @throws when the text is not a token
 */
export function readToken(token: string, option = '--replay'): ReplayToken {
  const wrong = new Error(`${option}: expected a token that a hunt printed, got '${shorten(token)}'.`)
  const faults: PlannedFault[] = []
  const settings: Record<string, string[]> = {}
  for (const part of token.split(',')) {
    const [call = '', attempt = '', ...fault] = part.split(':').map(decodePercent)
    if (fault.length === 0) {
      const [name = '', value] = part.split('=')
      if (value === undefined) throw wrong
      settings[name] = [...(settings[name] ?? []), decodePercent(value)]
      continue
    }
    if (!/^(?:every|from .* #\d+|[1-9]\d*)$/.test(attempt) || call === '' || fault[0] === '') throw wrong
    const extent = (Number(attempt) || attempt) as PlannedFault['attempt']
    const planned: PlannedFault = { call, attempt: extent, fault: fault.join('; ') }
    const isTaken = withFault(faults, planned) === undefined
    if (isTaken) throw new Error(`${option}: expected one fault for each attempt of a call, got two.`)
    faults.push(planned)
  }
  if (faults.length === 0) throw wrong
  return { faults, settings }
}

/** Leaves only letters, digits and signs that mean nothing to a shell. */
const encode = (text: string): string =>
  encodeURIComponent(text)
    .replace(/[!~*'()]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
    .replaceAll('%2F', '/')
