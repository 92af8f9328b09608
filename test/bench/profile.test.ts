/** Reading a profile: what each function took, alone and with what it called. */
import { expect, test } from 'vitest'
import { timesIn } from '../../scripts/bench/profile.ts'

const node = (id: number, functionName: string, children: number[] = [], url = '') => ({
  id,
  callFrame: { functionName, url, lineNumber: 9 },
  children,
})

test('idle time is left out, and a recursive function is counted once', () => {
  const nodes = [
    node(1, '(root)', [2, 3]),
    node(2, '(idle)'),
    node(3, 'serve', [4], 'file:///home/me/dist/shell/data-plane.js'),
    node(4, 'walk', [5]),
    node(5, 'walk'),
  ]
  const times = timesIn({ nodes, samples: [2, 3, 4, 5], timeDeltas: [900, 10, 30, 60] })
  expect(times).toEqual([
    { place: 'walk', self: 0.9, total: 0.9 },
    { place: 'serve shell/data-plane.js:10', self: 0.1, total: 1 },
  ])
})
