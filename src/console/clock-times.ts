/** Formats times of the mock's clock as times of day. */
import type { Hello } from '../control-plane/event-stream.ts'

/** `14:03:07.125`, in the user's time zone. */
export function formatTimeOfDay(at: number, { now, time }: Hello): string {
  const date = new Date(time + at - now)
  const [hours, minutes, seconds] = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${hours}:${minutes}:${seconds}.${String(date.getMilliseconds()).padStart(3, '0')}`
}
