/** The door of this room: recording, cassettes, conversion and drift. Other rooms import nothing else of it. */

export { Cassette } from './cassette.ts'
export { CassetteFile } from './cassette-file.ts'
export { convertFiles } from './convert/convert-files.ts'
export { findFiles, readDataFile, readPlainFile } from './convert/read-files.ts'
export { type Compared, findDrift } from './drift.ts'
export { fitQuantiles, MIN_SAMPLES, MIN_SAMPLES_FOR_P99 } from './fit/fit-quantiles.ts'
export { readCassette, readTimings, type Timings } from './fit/read-timings.ts'
export { loadCassette, recordedCalls } from './recorded-calls.ts'
export { type RecordedCall, startRecorder } from './recorder.ts'
export { Redactor } from './redact/redact.ts'
export { type CheckedCassette, type CheckedRecording, checkRecordings } from './rot/check-recordings.ts'
