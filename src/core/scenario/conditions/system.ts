/** `when: { system: be brief }`: all system and developer text. */
import { textCondition } from './kinds/text.ts'

export const system = textCondition('the system or developer text', (facts) => facts.system)
