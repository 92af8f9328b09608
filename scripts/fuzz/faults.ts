/** Every fault of the catalogue with any options it takes, as a header and as fields of a scenario; and junk. */
import fc from 'fast-check'
import type { Fault, OptionSpec } from '../../src/core/protocol/faults/fault.ts'
import { faults } from '../../src/core/protocol/faults/fault-catalogue.ts'

const VALUES: Record<Exclude<OptionSpec['kind'], 'choice'>, readonly (string | number)[]> = {
  duration: ['0s', '1ms', '20ms', '1.5s', '1m30s', '1d', 0, 2, 0.25],
  count: [0, 1, 2, 3, 17, 999_999_999],
  size: [1, 2, 7, 64, 4096, 999_999_999],
  status: [400, 404, 418, 499, 500, 503, 599],
}

const valueFor = (spec: OptionSpec): fc.Arbitrary<string | number> =>
  fc.constantFrom(...(spec.kind === 'choice' ? spec.of : VALUES[spec.kind]))

type Options = readonly (readonly [name: string, value: string | number])[]

/** Some of the options of a fault, at most one of those that exclude each other. */
function optionsOf({ options, oneOf = [] }: Fault, leftOut: readonly string[] = []): fc.Arbitrary<Options> {
  const names = Object.keys(options).filter((name) => !leftOut.includes(name))
  if (names.length === 0) return fc.constant([])
  return fc.subarray(names).chain((some) => {
    const first = some.find((name) => oneOf.includes(name))
    const kept = some.filter((name) => name === first || !oneOf.includes(name))
    return fc.tuple(...kept.map((name) => valueFor(options[name]!).map((value) => [name, value] as const)))
  })
}

const statuses = fc.integer({ min: 400, max: 599 })
const anyFault = fc.constantFrom(...faults)
const fullOf = (fault: Fault) => optionsOf(fault).map((options) => ({ name: fault.name, options }))

/** A fault as `x-mock-fault` has it. */
export const faultHeader: fc.Arbitrary<string> = fc.oneof(
  { weight: 8, arbitrary: anyFault.chain(fullOf).map(({ name, options }) => headerOf(name, options)) },
  { weight: 1, arbitrary: statuses.map(String) },
)

function headerOf(name: string, options: Options): string {
  return [name, ...options.map(([option, value]) => `${kebabCase(option)}=${value}`)].join('; ')
}

const kebabCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** A fault as a scenario has it: its name, and its options beside it. */
export const faultFields: fc.Arbitrary<object> = fc.oneof(
  {
    weight: 8,
    // In a scenario the status is the name of the fault.
    arbitrary: anyFault.chain((fault) =>
      optionsOf(fault, ['status']).map((options) => ({ fault: fault.name, ...Object.fromEntries(options) })),
    ),
  },
  { weight: 1, arbitrary: statuses.map((fault) => ({ fault })) },
)
