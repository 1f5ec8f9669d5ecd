import { queryOptions, useQuery } from '@tanstack/react-query'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { LineChart } from '#pwa/ui/chart.tsx'
import { type Cohort, CohortList } from '#shared/contract/engagement.ts'
import { averageKept } from '#shared/rules/cohorts.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { type Column, textColumn } from './list/list-table.tsx'
import { loaded, ShortList } from './list/short-list.tsx'
import { percentOf } from './percent-texts.ts'

const retentionQuery = queryOptions({
  queryKey: [adminKey, 'watching', 'retention'],
  queryFn: () => parseResponse(CohortList, api.api.admin.watching.retention.get()),
  staleTime: 0,
  refetchInterval: 5 * 60_000,
  refetchOnReconnect: true,
})

/** Columns, in months after joining. The average includes the months between. */
const shownMonths = [1, 2, 3, 6, 12, 24]

const retentionText = ({ joined, kept }: Cohort, months: number) => {
  const count = kept[months]
  return count === undefined ? '' : `${count} (${percentOf(count, joined)})`
}

const cohortColumns: readonly Column<Cohort>[] = [
  textColumn('Joined in', ({ month }) => formatMonthAndYear(`${month}-15`), 'who'),
  textColumn('Joined', ({ joined }) => String(joined), 'number'),
  ...shownMonths.map((months) =>
    textColumn<Cohort>(
      months === 1 ? 'After 1 month' : `After ${months} months`,
      (cohort) => retentionText(cohort, months),
      'number',
    ),
  ),
  textColumn('Now', (cohort) => retentionText(cohort, cohort.kept.length - 1), 'number'),
]

type Average = { months: number; kept: number }

const averageColumns: readonly Column<Average>[] = [
  textColumn('Months after joining', ({ months }) => String(months), 'who'),
  textColumn('Retention (%)', ({ kept }) => String(Math.round(kept)), 'number'),
]

function averageSentence(averages: readonly Average[]): string {
  const { months = 0, kept = 0 } = averages.at(-1) ?? {}
  return `Of 100 who join, ${Math.round(kept)} are still paying after ${plural(months, 'month')}.`
}

/** The cohorts, on Revenue and on Engagement. */
export function RetentionSection() {
  const query = useQuery(retentionQuery)
  const rows = query.data?.toReversed()
  const averages = averageKept(query.data ?? []).map((kept, months) => ({ months, kept }))
  return (
    <>
      {averages.length > 1 && (
        <ShortList
          isPart
          foldsOnPhone
          title="Average retention"
          name="retention-average"
          query={loaded(averages)}
          columns={averageColumns}
          idOf={({ months }) => String(months)}
          chart={
            <LineChart
              name="Average retention"
              sentence={averageSentence(averages)}
              format={(kept) => `${Math.round(kept)}%`}
              top={100}
              points={averages.map(({ months, kept }) => ({
                label: months === 0 ? 'Joining month' : `${months} months after`,
                value: kept,
              }))}
            />
          }
        />
      )}
      <ShortList
        isPart
        foldsOnPhone
        title="Retention by joining month"
        name="retention"
        query={{ ...query, data: rows }}
        columns={cohortColumns}
        idOf={({ month }) => month}
        note="How many were still paying at each month’s end. People who came back count again. Owners and free access don’t."
        empty={{ title: 'No payments yet', text: 'Each month someone joins shows up here.' }}
      />
    </>
  )
}
