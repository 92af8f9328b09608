/** `when: { key: sk-ci-* }`: the API key of the call. Messages mask it. */
import { maskKey } from '../../lib/text/mask-keys.ts'
import { toList } from '../../lib/text/to-list.ts'
import { describeAll } from '../check/describe.ts'
import { nameCondition } from './kinds/name.ts'

const maskUnlessGlob = (key: string): string => (key.includes('*') ? key : maskKey(key))

export const key: ReturnType<typeof nameCondition> = {
  ...nameCondition('the API key', (facts) => [facts.key]),
  describeFound: (facts) => describeAll(facts.key === '' ? [] : [maskKey(facts.key)]),
  describeWanted: (wanted) => describeAll(toList(wanted).map(maskUnlessGlob)),
}
