/** The report inside the file that `api-mock run --report html` writes. The page of a mock has none. */
import type { CallDetails } from '../../core/journal/call-details.ts'
import type { PageReport } from '../../core/report/page-report.ts'
import { formatCount } from '../parts/format.ts'

const json = globalThis.document?.getElementById('embedded-report')?.textContent

/** The report of the file; undefined on the page of a mock. With it, the page has no mock to ask and none to change. */
export const embedded = json ? (JSON.parse(json) as PageReport) : undefined

/** @throws when the file does not have the call. */
export function findEmbeddedCall({ calls, leftOut }: PageReport, number: number): CallDetails {
  const call = calls.find((one) => one.number === number)
  if (call !== undefined) return call
  throw new Error(`This file has no call ${number}.${leftOut === 0 ? '' : ` ${describeLeftOut(leftOut)}`}`)
}

/** A sentence on the calls that are not in the file. */
export const describeLeftOut = (leftOut: number): string =>
  `${formatCount(leftOut, 'call is', 'calls are')} left out to limit its size. Calls of the report come first, then failed calls, then the newest.`
