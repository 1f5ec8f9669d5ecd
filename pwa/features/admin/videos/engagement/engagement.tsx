import { useQuery } from '@tanstack/react-query'
import type { Column } from '#pwa/features/admin/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/list/short-list.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import type { Cohort, LessonFigures } from '#shared/contract/watching.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'
import { averageKept } from '#shared/rules/retention.ts'
import { BarsChart, LineChart, TenthsChart } from './charts.tsx'
import { shareOf, stopText } from './engagement-texts.ts'
import { lessonsQuery, retentionQuery } from './queries.ts'
import { loaded, textColumn, VisitsSection } from './visits.tsx'

export default function WatchingSection() {
  return (
    <>
      <div className="panel__top">
        <h2>Engagement</h2>
        <TextLink isTap to="/admin/$place" params={{ place: 'at-risk' }}>
          Members at risk
        </TextLink>
        <TextLink isTap to="/admin/$place" params={{ place: 'analytics' }}>
          How we count
        </TextLink>
      </div>
      <VisitsSection />
      <RetentionSection />
      <LessonsSection />
    </>
  )
}

/** Columns, in months after joining. The average includes the months between. */
const shownMonths = [1, 2, 3, 6, 12, 24]

const retentionText = ({ joined, kept }: Cohort, months: number) => {
  const count = kept[months]
  return count === undefined ? '' : `${count} (${shareOf(count, joined)})`
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

export function RetentionSection() {
  const query = useQuery(retentionQuery)
  const rows = query.data?.toReversed()
  const averages = averageKept(query.data ?? []).map((kept, months) => ({ months, kept }))
  return (
    <>
      <ShortList
        isPart
        title="Retention by joining month"
        name="retention"
        query={{ ...query, data: rows }}
        columns={cohortColumns}
        idOf={({ month }) => month}
        note="How many were still paying at each month’s end. People who came back count again. Owners and free access don’t."
        empty={{ title: 'No payments yet', text: 'Each month someone joins shows up here.' }}
      />
      {averages.length > 1 && (
        <ShortList
          isPart
          title="Average retention"
          name="retention-average"
          query={loaded(averages)}
          columns={averageColumns}
          idOf={({ months }) => String(months)}
          before={
            <LineChart
              caption="Still paying, from 100% at the top to 0% at the bottom."
              points={averages.map(({ months, kept }) => ({
                ...{ label: months === 0 ? 'Joining month' : `${months} months after`, value: kept },
              }))}
            />
          }
        />
      )}
    </>
  )
}

const lessonColumns: readonly Column<LessonFigures>[] = [
  {
    label: 'Video',
    kind: 'who',
    cell: ({ title, category, isPublished }) => (
      <>
        {title}
        <small>{isPublished ? category : `${category}, not published`}</small>
      </>
    ),
    text: ({ title, category }) => `${title}, ${category}`,
  },
  textColumn('Started', ({ started }) => String(started), 'number'),
  textColumn('Ticked off', ({ completed }) => String(completed), 'number'),
  textColumn('Completion rate', ({ completed, started }) => shareOf(completed, started), 'number'),
  {
    label: 'Drop-off',
    cell: ({ stopped }) =>
      stopText(stopped) && (
        <>
          <TenthsChart tenths={stopped} /> {stopText(stopped)}
        </>
      ),
    text: ({ stopped }) => (stopText(stopped) ? stopped.join(' ') : ''),
  },
]

const mostBars = 10

export function LessonsSection() {
  const query = useQuery(lessonsQuery)
  const most = query.data?.filter(({ started }) => started > 0).toSorted((one, other) => other.started - one.started)
  return (
    <ShortList
      isPart
      title="Videos"
      name="videos"
      query={query}
      columns={lessonColumns}
      idOf={({ id }) => id}
      note="Started means played or ticked off. Wistia and StreamYard don’t tell us how far someone got."
      empty={{ title: 'No videos yet', text: 'Videos show up here once you add them under Videos.' }}
      before={
        most &&
        most.length > 0 && (
          <BarsChart
            caption="The most started videos, and (dark) ticked off."
            bars={most.slice(0, mostBars).map(({ title, started, completed }) => ({
              ...{ label: title, value: started, part: completed },
            }))}
          />
        )
      }
    />
  )
}
