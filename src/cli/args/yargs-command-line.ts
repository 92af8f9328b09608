/** All commands and their help, as yargs reads them. */
import yargs from 'yargs'
import manifest from '../../../package.json' with { type: 'json' }
import { explainRefusal } from './explain-refusal.ts'
import { CHECK_OPTIONS } from './options.ts'
import { diffOptions, readDiffSettings, readRecordSettings, recordOptions } from './record-options.ts'
import { RUN, refuseCommand, START } from './service-commands.ts'

/** Runs a command line (without the program's own name) and returns its exit code. */
export async function runWithYargs(args: readonly string[]): Promise<number> {
  let exitCode = 0
  const parser = yargs([...args])
    .scriptName('api-mock')
    .usage(USAGE)
    .locale('en')
    // Exiting is for main.ts alone: yargs would cut off output that is on its way.
    .exitProcess(false)
    .parserConfiguration({
      'boolean-negation': false,
      'camel-case-expansion': false,
      'dot-notation': false,
      // Or `run -- printf 1.0` would print 1.
      'parse-positional-numbers': false,
      'populate--': true,
    })
    .command(
      ['$0', 'start'],
      'Start the server (what it does without a command)',
      (command) =>
        command
          .options(START.options)
          .example('$0', 'the default scenario on http://127.0.0.1:4010/v1')
          .example('$0 --scenario rate-limited', 'a built-in scenario')
          .example('$0 --scenario ./scenario.yaml --seed 7', 'a file, with another seed')
          .example('$0 --scenario slow --speed 100', 'a minute in 0.6 s')
          .example('$0 --scenario ./scenario.yaml --watch', 'a file that is being written')
          .example('$0 --host 0.0.0.0 --log json', 'for other machines, with a log for programs')
          .epilog(START_NOTES),
      async (given) => {
        exitCode = await START.run(given, listOf(given['--']))
      },
    )
    .command(
      'run',
      'Start on a free port, run a command against it, exit with its code',
      (command) =>
        command
          .usage('$0 run [options] -- <command ...>')
          .options(RUN.options)
          .example('$0 run --scenario flaky -- pytest', 'a test suite against a shaky service')
          .example('$0 run --scenario flaky --conduct strict -- npm test', 'fails when the client misbehaves')
          .example("$0 run -- sh -c 'curl $API_MOCK_URL/_mock/health'", 'with a shell, where one is needed')
          .epilog(RUN_NOTES),
      async (given) => {
        exitCode = await RUN.run(given, listOf(given['--']))
      },
    )
    .command(
      'check <files..>',
      'Check scenario files and show every problem and warning as file:line:column',
      (command) =>
        command
          .positional('files', { type: 'string', array: true, demandOption: true, describe: 'YAML or JSON' })
          .options(CHECK_OPTIONS)
          .example('$0 check scenarios/*.yaml', 'exits with 1 when any file has a problem')
          .epilog(CHECK_NOTES),
      async (given) => {
        refuseCommand(listOf(given['--']))
        const { json = false, strict = false } = given
        exitCode = await (await import('../commands/check.ts')).check(given.files, { json, strict })
      },
    )
    .command(
      'list',
      'Show the built-in scenarios, or every fault with its options',
      (command) => command.option('faults', { type: 'boolean', describe: 'Show the faults instead' }),
      async (given) => {
        refuseCommand(listOf(given['--']))
        const { listFaults, listScenarios } = await import('../commands/list.ts')
        process.stdout.write(given.faults === true ? listFaults() : listScenarios())
      },
    )
    .command(
      'init [file]',
      'Write a scenario file to begin with',
      (command) =>
        command.positional('file', { type: 'string', default: 'scenario.yaml', describe: 'Where; it must not exist' }),
      async (given) => {
        refuseCommand(listOf(given['--']))
        await (await import('../commands/init.ts')).init(given.file)
      },
    )
    .command(
      'record',
      'Pass calls on to a real service and write down its answers as a scenario',
      (command) =>
        command
          .usage('$0 record --upstream <base_url> --out <file> [options]')
          .options(recordOptions)
          .example(
            '$0 record --upstream https://api.openai.com/v1 --out cassette.yaml',
            'then call http://127.0.0.1:4010/v1',
          )
          .example('$0 --scenario cassette.yaml', 'gives the same answers again')
          .epilog(RECORD_NOTES),
      async (given) => {
        refuseCommand(listOf(given['--']))
        const settings = readRecordSettings(given)
        exitCode = await (await import('../commands/record.ts')).record(settings)
      },
    )
    .command(
      'diff <cassette>',
      'Send the calls of a cassette to a real service and show what has changed in its answers',
      (command) =>
        command
          .usage('$0 diff <cassette> --upstream <base_url> [options]')
          .positional('cassette', { type: 'string', demandOption: true, describe: 'What api-mock record has written' })
          .options(diffOptions)
          .example('$0 diff cassette.yaml --upstream https://api.openai.com/v1', 'against what was recorded')
          .example('$0 diff cassette.yaml --upstream ... --scenario openai', 'against what the mock itself says')
          .epilog(DIFF_NOTES),
      async (given) => {
        refuseCommand(listOf(given['--']))
        const settings = readDiffSettings(given.cassette, given)
        exitCode = await (await import('../commands/diff.ts')).diff(settings)
      },
    )
    .strict()
    .fail((message, error) => {
      throw error === undefined || error.name === 'YError' ? explainRefusal(message ?? error.message, args) : error
    })
    .help()
    .alias('help', 'h')
    .version(manifest.version)
    .alias('version', 'v')
  await parser.wrap(Math.min(110, parser.terminalWidth())).parseAsync()
  return exitCode
}

const USAGE = `$0 [options]            a deterministic mock of an OpenAI-style API
$0 <command> [options]`

const START_NOTES = `Every call is a line when it has ended: pretty is for eyes, json is one object a line (first "listening", then a
"call" each), none is the banner only, and fastest. Ctrl-C or SIGTERM takes no new calls, lets those in flight finish
for up to 2 s and exits with 0; a second Ctrl-C exits at once. Any problem is a message on stderr and exit code 1.`

const RUN_NOTES = `The command gets OPENAI_BASE_URL (ends in /v1), OPENAI_API_KEY (a key that works) and API_MOCK_URL (the origin: the
control plane is at $API_MOCK_URL/_mock/), and API_MOCK_TOKEN where there is a token. It is run without a shell. What
the mock itself has to say goes to stderr: at the end one line of counts, and what the client did wrong or left unused.
The exit code is the command's own: 128+n when signal n ended it, 127 when there is no such command, 1 when the mock
could not start, or under --conduct strict when the command ended with 0 and the client had made a mistake.`

const CHECK_NOTES = `A file with a problem can't be used. A warning says what in a file can do nothing: a rule that never applies, a
fault that never applies, a limit that no call can meet. Warnings alone exit with 0, or with 1 under --strict.`

const RECORD_NOTES = `Only POST /v1/chat/completions and POST /v1/embeddings are passed on, only to --upstream, and only from programs of this
machine. The key of a call goes to the upstream and is never written; keys, tokens, email addresses and what --redact
names are left out of the bodies as well. The file is written after each answer, and always as a whole. What could not
be recorded is said on its line. Ctrl-C or SIGTERM ends it with exit code 0; 1 when the file could not be written.`

const DIFF_NOTES = `Each request of the cassette is sent once, with the key in OPENAI_API_KEY, and its answer compared with the recorded one:
status, names and types of fields, never their values. The exit code is 0 when all are the same and 1 when any differs,
or when the comparison could not be made.`

/** What yargs leaves behind `--`; its types do not know of it. */
function listOf(afterDashes: unknown): string[] {
  return Array.isArray(afterDashes) ? afterDashes.map(String) : []
}
