/** Formats durations, times and counts for people. */
import type { Hello } from '../../server/event-stream.ts'

/** `1.25 s`, `300 ms`, `0.8 ms`. */
export function formatMs(ms: number): string {
  if (ms >= 1000) return `${Number((ms / 1000).toFixed(2))} s`
  return `${ms >= 10 ? Math.round(ms) : Number(ms.toFixed(1))} ms`
}

/** `1 call`, `12 calls`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** A time of the mock's clock as a time of day: `14:03:07.125`, in the user's time zone. */
export function formatTimeOfDay(at: number, { now, time }: Hello): string {
  const date = new Date(time + at - now)
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** `sk-test-****ijkl` is `…ijkl`. */
export const tailOfKey = (key: string): string => (key === '' ? 'none' : key.replace(/^.*\*{4}(?=.)/s, '…'))
