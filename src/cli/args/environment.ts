/** Options as environment variables: `--base-path` is also `API_MOCK_BASE_PATH`. The command line has precedence. */
import { nearest } from '../../core/lib/text/did-you-mean.ts'
import { shorten } from '../../core/lib/text/wording.ts'
import type { Option } from '../../terminal/option.ts'
import { UsageError } from '../../terminal/usage-error.ts'

type Environment = Readonly<Record<string, string | undefined>>

const PREFIX = 'API_MOCK_'
const FLAG_VALUES: Readonly<Record<string, string>> = { true: 'true', 1: 'true', false: 'false', 0: 'false' }

/** @example variableOf('base-path') // 'API_MOCK_BASE_PATH' */
export const variableOf = (option: string): string => PREFIX + option.toUpperCase().replaceAll('-', '_')

/**
 * A warning for each variable whose name is nearly that of an option. The others may be of another program.
 * @param options those of all commands.
 */
export function misspelledVariables(options: readonly string[], environment: Environment): string[] {
  const known = new Set(options.map(variableOf))
  const unknown = Object.keys(environment).filter((name) => name.startsWith(PREFIX) && !known.has(name))
  return unknown.flatMap((name) => {
    const [option] = nearest(name.slice(PREFIX.length).replaceAll('_', '-'), options, 1)
    return option === undefined ? [] : [`Warning: ${name} sets no option. Did you mean ${variableOf(option)}?`]
  })
}

/**
 * The texts of an option's variable, as `Option.read` takes them; undefined when it is not set, or empty.
 * @throws UsageError when the variable of a flag is neither true nor false.
 */
export function readVariable(name: string, option: Option<unknown>, environment: Environment): string[] | undefined {
  const value = environment[variableOf(name)] ?? ''
  if (option.hasVariable === false || value === '' || isKubernetesAddress(value)) return undefined
  if (option.type === 'boolean') {
    const read = FLAG_VALUES[value.toLowerCase()]
    if (read !== undefined) return [read]
    throw new UsageError(`${variableOf(name)}: expected true or false, got '${shorten(value)}'.`)
  }
  const lines = option.isList === true ? value.split(/\r?\n/).filter((line) => line !== '') : [value]
  return lines.length === 0 ? undefined : lines
}

/** For a service named api-mock, Kubernetes sets API_MOCK_PORT=tcp://10.0.0.1:4010 in every container. */
export const isKubernetesAddress = (value: string): boolean => /^(?:tcp|udp|sctp):\/\//.test(value)
