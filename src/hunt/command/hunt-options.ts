/** The options of `hunt` and `shrink`, which run a command again and again. */

import { HUNT_REPORT_FORMS } from '../../core/report/report-forms.ts'
import { allowedSpeeds, isSpeed } from '../../engine/index.ts'
import {
  checked,
  findWord,
  flag,
  ignoredPart,
  list,
  listOf,
  nonEmpty,
  number,
  oneOf,
  required,
  scenarioName,
  shortTime,
  text,
  type ValuesOf,
  wholeNumber,
  words,
} from '../../terminal/option.ts'
import { FAULT_CLASS_NAMES } from '../search/fault-classes.ts'

const huntingOptions = {
  seed: text("Override the scenario's seed", nonEmpty('a text')),
  speed: text("Speed of the mock's clock, as a multiple of real time", number(allowedSpeeds, isSpeed), '1'),
  time: text('Stop after this time and report what is known', shortTime),
  'run-timeout': text(
    'Time limit of a run. Default: 10 s plus (2 + --jobs) times the longest run without faults',
    shortTime,
  ),
  identity: oneOf(
    'Tell calls apart by their whole bodies, or by endpoint, model and place in the run',
    ['exact', 'coarse'],
    'exact',
  ),
  ignore: list('Path or /pattern/ of a request that may change from run to run; can be repeated', ignoredPart),
  jobs: text('Number of runs at the same time', wholeNumber(1, 64), '1'),
  'real-time': flag('Let the waits of Node processes take their real time'),
  'fail-on': oneOf('Fail a run on its exit code, or also on mistakes of the client', ['exit', 'conduct'], 'exit'),
}

const checkOptions = {
  'whole-or-error': flag('Fail a run that shows the beginning of an answer as if it were whole; accept exit codes'),
  once: list(
    'Fail a run with two lines of this name in the file $API_MOCK_DID; can be repeated',
    checked('a name without spaces such as charge', (given) => /^[^\s,]+$/.test(given)),
  ),
  'max-calls': text('Fail a run with more calls', wholeNumber(1)),
}

export const huntOptions = {
  scenario: text('Base scenario: a built-in one (see api-mock list) or a file', scenarioName, 'default'),
  faults: words('Classes of faults to try, separated by commas', FAULT_CLASS_NAMES),
  depth: text('Largest number of faults in a set, from 1 to 5', wholeNumber(1, 5), '2'),
  runs: text('Most sets of faults to try', wholeNumber(1), '10000'),
  exhaustive: flag(
    'Also pair faults that a retry recovered from with faults of other calls; with --only cuts, try every place',
  ),
  'skip-outages': flag('Skip faults that never end: on every attempt of a call, or on a call and all later ones'),
  ...checkOptions,
  only: text('Only cut streamed answers, between any two events: cuts', (given, name) =>
    findWord(given, name, ['cuts']),
  ),
  bytes: flag('With --only cuts: also cut at any byte'),
  ...huntingOptions,
  since: text('JSON report of an earlier hunt: calls that it found safe are not hunted again', nonEmpty('a file')),
  'min-coverage': text(
    'Fail when the fault coverage is below this percentage',
    number(
      () => 'a percentage from 0 to 100',
      (value) => value <= 100,
    ),
  ),
  replay: text(
    'Run the command once more with the faults of this token',
    nonEmpty('a token that api-mock hunt printed'),
  ),
  'replay-all': flag('Run the command under the faults of each of its files in .api-mock/hunt'),
  bisect: flag('With --replay or --replay-all: end with exit code 125 if it cannot tell, for git bisect run'),
  report: listOf('Format of a report', HUNT_REPORT_FORMS, 'pretty'),
  'report-file': list('File of a report, in the order of --report; can be repeated', nonEmpty('a file')),
}
export type HuntSettings = ValuesOf<typeof huntOptions>

export const shrinkOptions = {
  scenario: required('Scenario with random faults (by chance or in bursts): a file, or a built-in one', scenarioName),
  ...huntingOptions,
}
export type ShrinkSettings = ValuesOf<typeof shrinkOptions>

/** The settings that hunts, replays and shrinking share. Shrinking has no properties. */
export type SessionSettings = ShrinkSettings & Partial<ValuesOf<typeof checkOptions>>
