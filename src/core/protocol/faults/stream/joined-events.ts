/** Sends several events of a stream in one packet. */
import type { PlanEvent } from '../../plan/plan.ts'
import { textOf } from '../../plan/transform.ts'
import { faultWith } from '../fault.ts'

export const joinedEvents = faultWith({
  kind: 'stream',
  name: 'joined-events',
  summary: 'Sends several events of a stream in one packet, as buffering proxies do.',
  options: { size: { kind: 'size', default: 4, summary: 'the number of events per packet' } },
  transform(plan, { size }) {
    const events: PlanEvent[] = []
    let held: string[] = []
    let waitMs = 0
    const release = (): void => {
      if (waitMs > 0) events.push({ type: 'wait', ms: waitMs })
      if (held.length > 0) events.push({ type: 'send', data: held.join('') }, { type: 'flush' })
      held = []
      waitMs = 0
    }
    for (const event of plan.events) {
      switch (event.type) {
        case 'wait':
          waitMs += event.ms
          break
        case 'send':
          if (held.push(textOf(event.data)) === size) release()
          break
        default:
          release()
          events.push(event)
      }
    }
    return { ...plan, events }
  },
})
