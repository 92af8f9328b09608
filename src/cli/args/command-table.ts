/**
 * The table of commands: the parser, `--help`, shell completion and the tables of the docs come from it.
 *
 * To add an option, add a line in command-options.ts and use its value in the command. A command's module loads when it runs.
 */
import { huntOptions, shrinkOptions } from '../../hunt/node.ts'
import type { Option, Options, ValuesOf } from '../../terminal/option.ts'
import * as tables from './command-options.ts'

export interface Command<Table extends Options = Options> {
  readonly name: string
  readonly summary: string
  /** The argument as yargs spells it: `<files..>`, `[file]`. */
  readonly argument?: { readonly form: string; readonly summary: string; readonly choices?: readonly string[] }
  /** True if it takes the words after `--`: a command to run. */
  readonly takesCommand?: true
  /** The exit code after an error. Default: 1. */
  readonly errorExitCode?: number
  /** True if its options are never read from variables: those of a server here would change servers elsewhere, or mean another thing. */
  readonly ignoresVariables?: true
  readonly options: Table
  /** Command lines and what they do. The first one is shown when something required is missing. */
  readonly examples: readonly (readonly [line: string, what: string])[]
  readonly notes?: string
  /** Runs the command and returns the exit code. `words` are its arguments, or the command after `--`. */
  run(values: ValuesOf<Table>, words: readonly string[]): Promise<number>
}

/** The options of a command with their names. */
export const optionsOf = ({ options }: Command) => Object.entries<Option<unknown>>(options)

/** An entry of the table. The compiler checks that `run` takes the values of the entry's options. */
const command = <Table extends Options>(entry: Command<Table>): Command => entry as Command

export const COMMANDS: readonly Command[] = [
  command({
    name: 'start',
    summary: 'Start the server',
    options: tables.startOptions,
    examples: [
      ['api-mock', 'the default scenario on http://127.0.0.1:4010/v1'],
      ['api-mock --scenario rate-limited', 'a built-in scenario'],
      ['api-mock --scenario ./scenario.yaml --watch', 'your own scenario, reloaded when you save it'],
      ['api-mock --scenario slow --speed 100', 'one minute passes in 0.6 s'],
      ['api-mock --host 0.0.0.0 --log json', 'for other machines, with a machine-readable log'],
    ],
    notes: `Every finished call is logged: as text (pretty), as one JSON object per line (json) or not at all (none, the fastest).
Ctrl-C or SIGTERM stops the server: calls in flight get up to 2 s (--drain) to finish, and the exit code is 0. A second
Ctrl-C exits at once. On any error, the message goes to stderr and the exit code is 1.`,
    run: async (values) => (await import('../commands/start.ts')).start(values),
  }),
  command({
    name: 'run',
    summary: 'Run a command against a mock on a free port and exit with its exit code',
    takesCommand: true,
    options: tables.runOptions,
    examples: [
      ['api-mock run --scenario flaky -- npm test', 'a test suite against an unreliable service'],
      ['api-mock run --conduct strict -- npm test', 'fails when the client makes a mistake'],
      ['api-mock run --tokens-file tokens.json -- npm test', 'shows how tokens and cost have changed'],
      ["api-mock run -- sh -c 'curl $API_MOCK_URL/_mock/health'", 'with a shell'],
    ],
    notes: `The command gets these environment variables: OPENAI_BASE_URL (ends in /v1), OPENAI_API_KEY (an accepted key),
API_MOCK_URL (the control plane is at $API_MOCK_URL/_mock/) and API_MOCK_TOKEN (if there is a token). It runs without
a shell. When it ends, the mock prints to stderr how many calls it got and what the client did wrong.

The exit code is the command's own, 128 + n when signal n ended it, 127 when it was not found, and 126 when it could
not be run. It is 1 when the mock could not start, or when the command succeeded but the run does not meet the
scenario's expect. With --conduct strict it is also 1 for a client mistake and for an expectation without a verdict.`,
    run: async (values, words) => (await import('../commands/run-with-mock.ts')).run(words, values),
  }),
  command({
    name: 'health',
    summary: 'Check whether a server is healthy: exit code 0 if it is, 1 if not',
    options: tables.healthOptions,
    examples: [
      ['api-mock health', 'the server on port 4010'],
      ['api-mock health --url http://mock:8080', 'another server, for example as the health check of a container'],
    ],
    run: async (values) => (await import('../commands/health.ts')).health(values),
  }),
  command({
    name: 'wait',
    summary: 'Wait until a server is healthy: exit code 0 if it is in time, 1 if not',
    options: tables.waitOptions,
    examples: [
      ['api-mock wait', 'for the server on port 4010, at most 30 s'],
      ['api-mock wait --url http://mock:8080 --timeout 2m', 'for another server'],
    ],
    run: async (values) => (await import('../commands/health.ts')).wait(values),
  }),
  command({
    name: 'hunt',
    summary: 'Find the smallest sets of faults under which a command fails',
    takesCommand: true,
    errorExitCode: 2,
    options: huntOptions,
    examples: [
      ['api-mock hunt -- npm test', 'tries each fault on each call, then pairs'],
      ['api-mock hunt --time 5m --jobs 4 -- node agent.js', 'for at most 5 minutes, 4 runs at once'],
      ['api-mock hunt --faults cut,early-end --depth 1 -- npm test', 'only these faults, one at a time'],
      [
        'api-mock hunt --min-coverage 90 --since main.json -- npm test',
        'only new calls; fails below 90 % fault coverage',
      ],
      ['api-mock hunt --replay-all -- npm test', 'whether the failures of earlier hunts are fixed'],
    ],
    notes: `The command runs twice without faults, and must pass and make the same calls both times. Then it runs under faults: each run
gets a new mock on a free port, and the environment variables that api-mock run sets. A run fails when the exit code is not 0, when it does
not meet an expectation of the scenario (expect), when it makes 1,000 calls, or when it does not end in time. Its input is empty. When it
ends, the processes that it left in its group are ended too.

Each failure is tried again, and a scenario that reproduces it is saved in .api-mock/hunt. The report goes to stdout.

The exit code is 0 when nothing fails, 1 when something does or the coverage is below --min-coverage, and 2 when the command line is wrong or the command cannot be
hunted: it fails without faults, makes no call, or makes other calls each time. It is also 2 when the hunt is stopped before it
has tried anything. A replay also has exit code 1 for NOT REACHED, and 2 for a file that it cannot read, or if
--replay-all finds no saved failure of the command. After Ctrl-C, it is 130.`,
    run: async (values, words) => (await import('../../hunt/command/hunt-command.ts')).huntCommand(words, values),
  }),
  command({
    name: 'shrink',
    summary: 'Reduce the faults of a random scenario to those that make a command fail',
    takesCommand: true,
    errorExitCode: 2,
    options: shrinkOptions,
    examples: [
      ['api-mock shrink --scenario chaos.yaml -- npm test', 'the faults that are needed, of those that were drawn'],
      ['api-mock shrink --scenario chaos.yaml --seed 7 -- npm test', 'with another draw'],
    ],
    notes: `The command runs under the scenario. If it fails, it runs again with parts of the faults that were applied, until each one that
is left is needed. That set is tried again, and saved as a scenario in .api-mock/hunt.

The exit code is 0 when the command passes, 1 when it fails because of faults, and 2 when the command line is wrong or the
command fails for another reason.`,
    run: async (values, words) => (await import('../../hunt/command/shrink-command.ts')).shrinkCommand(words, values),
  }),
  command({
    name: 'rehearse',
    summary: 'Show what breaks when the app moves to another model',
    takesCommand: true,
    errorExitCode: 2,
    options: tables.rehearseOptions,
    examples: [
      ['api-mock rehearse --to gpt-6-luna -- npm test', 'every call asks for gpt-6-luna'],
      ['api-mock rehearse --from gpt-4o --to gpt-5.2,gpt-5.6-sol -- npm test', 'two models, and a table'],
      ['api-mock rehearse --from gpt-4o --to retire -- npm test', 'gpt-4o is gone: does the fallback work?'],
    ],
    notes: `The command runs as it is, then once with each model of --to in place of the model that it asks for. Each call of the first run is
compared under both models, by the rules that the mock has for them (see api-mock list --models). The report shows each
error that the service would give with the change that avoids it, what changes without an error, and tokens and cost.
Its input is empty. The report goes to stdout.

The exit code is 0 when nothing would break, 1 when something would, and 2 when the command line is wrong, or the command
fails as it is or makes no call.`,
    run: async (values, words) => (await import('../commands/rehearse-command.ts')).rehearse(words, values),
  }),
  command({
    name: 'check',
    summary: 'Check scenario files; print each problem with its line and column',
    argument: { form: '<files..>', summary: 'Scenario files, YAML or JSON' },
    options: tables.checkOptions,
    examples: [['api-mock check scenario.yaml', 'exits with 1 when the file has a problem']],
    notes: `A file with a problem cannot be used. A warning points at something that has no effect: a rule or a fault that
never applies, a limit that is never reached. With warnings only, the exit code is 0, or 1 with --strict.`,
    run: async (values, files) => (await import('../commands/check.ts')).check(files, values),
  }),
  command({
    name: 'list',
    summary: 'List the built-in scenarios, the faults or the models',
    ignoresVariables: true,
    options: tables.listOptions,
    examples: [
      ['api-mock list --faults', 'every fault with its options'],
      ['api-mock list --models', 'every model of the service, with its endpoints, limits, prices and shutdown'],
    ],
    run: async (values) => (await import('../commands/print-lists.ts')).list(values),
  }),
  command({
    name: 'init',
    summary: 'Create a scenario file to start from',
    argument: { form: '[file]', summary: 'File to create (default: scenario.yaml)' },
    options: {},
    examples: [['api-mock init flaky.yaml', 'creates the file; never overwrites one']],
    run: async (_, [file = 'scenario.yaml']) => (await import('../commands/init.ts')).init(file),
  }),
  command({
    name: 'record',
    summary: 'Forward calls to a real service and save its answers as a scenario',
    options: tables.recordOptions,
    examples: [
      [
        'api-mock record --upstream https://api.openai.com/v1 --out cassette.yaml',
        'then call http://127.0.0.1:4010/v1',
      ],
      [
        'api-mock record --hybrid --upstream https://api.openai.com/v1 --out cassette.yaml',
        'replays known calls and records the others',
      ],
      ['api-mock --scenario cassette.yaml', 'replays the recorded answers'],
    ],
    notes: `Only POST /v1/chat/completions, /v1/responses, /v1/responses/input_tokens and /v1/embeddings are forwarded, only to
--upstream, and only from programs on this machine. The caller's API key is sent to the upstream and never saved. Keys, tokens, email addresses and whatever
--redact names are removed from the bodies. The cassette is saved after each answer. When an answer cannot be recorded,
its log line says why. Ctrl-C or SIGTERM stops the recorder. The exit code is 1 when the cassette could not be saved.

With --hybrid, a call that the cassette knows is answered from it, and the upstream gets only the others. A recorded error
that clients retry is given once; then the upstream is asked again. The rest of the file stays as it is.`,
    run: async (values) => (await import('../commands/record.ts')).record(values),
  }),
  command({
    name: 'convert',
    summary: 'Turn recordings and fixtures of other tools into a scenario',
    argument: {
      form: '<files..>',
      summary: 'VCR cassettes, HAR files or aimock fixtures; of a folder, all such files',
    },
    options: tables.convertOptions,
    examples: [
      ['api-mock convert cassettes/chat.yaml --out scenario.yaml', 'a VCR cassette (vcrpy)'],
      ['api-mock convert recordings/ --out scenario.yaml', 'all recordings of Polly.js in a folder'],
      ['api-mock convert fixtures.json', 'prints the scenario'],
    ],
    notes: `Reads VCR cassettes (YAML or JSON), HAR files (of Polly.js, browsers and proxies) and JSON fixtures of aimock. Several
files become one scenario. Recorded answers are replayed byte for byte; fixtures become rules. Keys, tokens, email
addresses and whatever --redact names are removed. What cannot be carried over is listed on stderr, with its place and
the reason. The exit code is 1 when nothing could be converted.`,
    run: async (values, files) => (await import('../commands/convert.ts')).convert(files, values),
  }),
  command({
    name: 'fit',
    summary: 'Fit the pace of a scenario to measured calls',
    argument: {
      form: '<file>',
      summary: 'A cassette, or timings as CSV, JSON, JSON Lines or OpenTelemetry spans (OTLP/JSON)',
    },
    options: {},
    examples: [
      ['api-mock fit timings.csv', 'prints pace, by quantiles'],
      ['api-mock fit spans.jsonl > pace.yaml', 'spans with GenAI attributes'],
      ['api-mock fit cassette.yaml', 'the streams that api-mock record has saved'],
    ],
    notes: `Each call needs a time to its first token, and for perToken the time for each further token, or its total time and its
number of tokens: columns firstTokenMs and perTokenMs, or firstTokenMs, totalMs and tokens. Names such as ttft_s and
inter_token_latency_s are known too; the unit is part of the name. Spans need gen_ai.response.time_to_first_chunk (or
gen_ai.latency.time_to_first_token) and gen_ai.usage.output_tokens.

The pace goes to stdout: as few quantiles as give each percentile of the calls within 5 %, with the shortest and the longest. Notes
go to stderr. A p99 needs 100 calls and a p99.9 needs 1,000; fewer than 10 calls are refused.`,
    run: async (_, [file = '']) => (await import('../commands/fit.ts')).fitFile(file),
  }),
  command({
    name: 'diff',
    summary: "Send a cassette's requests to a real service and show how its answers have changed",
    argument: { form: '<cassette>', summary: 'Cassette written by api-mock record' },
    options: tables.diffOptions,
    examples: [
      ['api-mock diff cassette.yaml --upstream https://api.openai.com/v1', 'compares with the recorded answers'],
      ['api-mock diff cassette.yaml --upstream ... --scenario openai', 'compares with the mock'],
    ],
    notes: `Each request is sent once, with the key in OPENAI_API_KEY. Status codes and the names and types of fields are compared,
not their values. The exit code is 0 when there is no difference, and 1 when there is one or when the comparison failed.`,
    run: async (values, [cassette = '']) => (await import('../commands/diff.ts')).diff(cassette, values),
  }),
  command({
    name: 'cassettes',
    summary: 'Check recordings: which ones are old, and which would be refused today',
    argument: { form: '<action..>', summary: 'check, and cassettes or folders of them', choices: ['check'] },
    ignoresVariables: true,
    options: tables.cassettesOptions,
    examples: [
      ['api-mock cassettes check cassettes/', 'every recording of the folder, against the service of today'],
      ['api-mock cassettes check chat.yaml --calls journal.json', 'against the requests of the app too'],
    ],
    notes: `Nothing is sent anywhere: the service of today is the mock under scenario openai, with its table of models. Findings have three
tiers: would be refused, worth a look, harmless. A recording without findings is not shown. For --calls, save the journal of
a mock that has served the app: curl http://127.0.0.1:4010/_mock/journal > journal.json.

The last lines list the recordings to make again. The exit code is 0 when there are none, and 1 when there are some or when
a file cannot be checked.`,
    run: async (values, [, ...paths]) => (await import('../commands/cassettes.ts')).checkCassettes(paths, values),
  }),
  command({
    name: 'fleet',
    summary: 'Change all replicas behind a load balancer, report on them, or watch them',
    argument: { form: '<action>', summary: 'apply, report or watch', choices: ['apply', 'report', 'watch'] },
    ignoresVariables: true,
    options: tables.fleetOptions,
    examples: [
      ['api-mock fleet apply --targets 10.0.0.7:4010,10.0.0.8:4010 --scenario flaky', 'another scenario on all'],
      [
        `api-mock fleet apply --targets ... --fault '{"fault":"rate-limit","times":2}'`,
        'the next two calls of each replica',
      ],
      ['api-mock fleet report --targets 10.0.0.7:4010,10.0.0.8:4010', 'one report on all'],
      ['api-mock fleet watch --targets dns:llm-api-mock-replicas:4010', 'all addresses of a name'],
    ],
    notes: `apply first asks every replica whether it answers; if one does not, nothing is changed on any. Then it changes all
replicas at the same time: reset, scenario, clear-faults, state, fault. Each replica is listed with what was changed and
what failed.

report merges the journals, the conduct of clients and the metrics of all replicas. It names keys that several replicas
have served.

watch prints a line for each replica and their sum every two seconds, until Ctrl-C: calls, in flight, errors (429 too),
429 and memory. A replica that is away is shown, and asked again.

A target dns:name:port is looked up at each use, and stands for all its addresses. The exit code is 1 when a replica did not answer or refused a change, and when the calls of all replicas fail
an expectation of the scenario.`,
    run: async (values, [action = '']) => (await import('../commands/fleet.ts')).fleet(action, values),
  }),
]
