/** A histogram of the durations of calls. */
import { useMemo } from 'preact/hooks'
import { binDurations, type DrawnCall } from '../../core/report/run-picture.ts'
import { Section, Table } from '../parts/elements.tsx'
import { formatMs } from '../parts/format.ts'

/** A row for each range of durations. It is a table, so it needs no other text. */
export function DurationChart({ calls }: { calls: readonly DrawnCall[] }) {
  const bins = useMemo(() => binDurations(calls), [calls])
  if (bins.length === 0) return null
  const most = bins.reduce((so, { answered, failed }) => Math.max(so, answered + failed), 1)
  const percent = (count: number): string => `${(100 * count) / most}%`
  return (
    <Section title="Durations">
      <Table
        class="durations"
        columns={['Time', 'Answered', 'Other', <span class="unseen">Bar</span>]}
        numbers={[1, 2]}
        rows={bins.map(({ fromMs, toMs, answered, failed }) => [
          fromMs === 0 ? `under ${formatMs(toMs)}` : `from ${formatMs(fromMs)}`,
          answered || '',
          failed || '',
          <div class="duration-bar" aria-hidden="true">
            {answered > 0 && <span class="duration-answered" style={{ width: percent(answered) }} />}
            {failed > 0 && <span class="duration-failed" style={{ width: percent(failed) }} />}
          </div>,
        ])}
      />
    </Section>
  )
}
