import { useQuery } from '@tanstack/react-query'
import type { Column } from '#pwa/features/admin/list/list-table-section.tsx'
import { ShortList } from '#pwa/features/admin/list/short-list-section.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import type { Cohort, LessonFigures } from '#shared/contract/watching.ts'
import { formatMonthAndYear } from '#shared/rules/london.ts'
import { averageKept } from '#shared/rules/retention.ts'
import { BarsChart, LineChart, TenthsChart } from './charts-section.tsx'
import { lessonsQuery, retentionQuery } from './queries.ts'
import { loaded, textColumn, VisitsSection } from './visits-section.tsx'
import { shareOf, stopText } from './watching-texts.ts'

/** How the site and the lessons are used: each drawing with its table, each table as a file. */
export default function WatchingSection() {
  return (
    <>
      <div className="panel__top">
        <h2>Watching</h2>
        <TextLink isTap to="/admin/$place" params={{ place: 'at-risk' }}>
          Members at risk
        </TextLink>
        <TextLink isTap to="/admin/$place" params={{ place: 'analytics' }}>
          What is counted
        </TextLink>
      </div>
      <VisitsSection />
      <RetentionSection />
      <LessonsSection />
    </>
  )
}

/** Months after joining that have a column; those between are in the average. */
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
  textColumn('Still paying, of a hundred', ({ kept }) => String(Math.round(kept)), 'number'),
]

/** Who stays, by the month of joining. */
export function RetentionSection() {
  const query = useQuery(retentionQuery)
  const rows = query.data?.toReversed()
  const averages = averageKept(query.data ?? []).map((kept, months) => ({ months, kept }))
  return (
    <>
      <ShortList
        isPart
        title="Who stays, by the month of joining"
        name="retention"
        query={{ ...query, data: rows }}
        columns={cohortColumns}
        idOf={({ month }) => month}
        note="Members who first paid in that month, and how many of them were still paying at the end of each month after it. People who left and came back count again. Owners and free access are left out."
        empty={{ title: 'Nobody has paid yet', text: 'Each month in which somebody joins shows up here.' }}
      />
      {averages.length > 1 && (
        <ShortList
          isPart
          title="Who stays, on average"
          name="retention-average"
          query={loaded(averages)}
          columns={averageColumns}
          idOf={({ months }) => String(months)}
          before={
            <LineChart
              caption="Still paying, of a hundred who joined: from all of them at the top to none at the bottom."
              points={averages.map(({ months, kept }) => ({
                ...{ label: months === 0 ? 'The month of joining' : `${months} months after`, value: kept },
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
    label: 'Lesson',
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
  textColumn('Of those started', ({ completed, started }) => shareOf(completed, started), 'number'),
  {
    label: 'Where others stop',
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

/** How far each lesson is followed. */
export function LessonsSection() {
  const query = useQuery(lessonsQuery)
  const most = query.data?.filter(({ started }) => started > 0).toSorted((one, other) => other.started - one.started)
  return (
    <ShortList
      isPart
      title="Lessons"
      name="lessons"
      query={query}
      columns={lessonColumns}
      idOf={({ id }) => id}
      note="Started means played or ticked off. Where others stop counts those who have not ticked it off, by tenths of the film. Wistia and StreamYard do not tell us how far somebody got."
      empty={{ title: 'No lessons yet', text: 'Each lesson shows up here once it is added under Videos.' }}
      before={
        most &&
        most.length > 0 && (
          <BarsChart
            caption="The lessons that most have started, and the dark part of them ticked off."
            bars={most.slice(0, mostBars).map(({ title, started, completed }) => ({
              ...{ label: title, value: started, part: completed },
            }))}
          />
        )
      }
    />
  )
}
