import { useQuery } from '@tanstack/react-query'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { type Column, textColumn } from '#pwa/features/admin/kit/list/list-table.tsx'
import { loaded, ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { useListAddress } from '#pwa/features/admin/kit/list/use-list.ts'
import { percentOf } from '#pwa/features/admin/kit/percent-texts.ts'
import { BarsChart, ColumnsChart } from '#pwa/ui/chart.tsx'
import { DateField } from '#pwa/ui/date-field.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { VisitFigures } from '#shared/contract/engagement.ts'
import { comparedWith } from '#shared/rules/compared-with.ts'
import { addDays, formatLongDate, formatMonthAndYear, londonDay } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { formName, pageName, sourceName, stepNames } from './engagement-texts.ts'
import { visitsQuery } from './queries.ts'

export function VisitsSection() {
  const { address } = useListAddress()
  const query = useQuery(visitsQuery(address))
  const { data } = query
  return (
    <>
      <RangeBar />
      <ListState {...query} />
      {data ? <Figures figures={data} /> : query.error === null && <Skeleton size="block" />}
    </>
  )
}

const ranges = [
  ['7', 'Last 7 days'],
  ['30', 'Last 30 days'],
  ['90', 'Last 90 days'],
  ['365', 'Last 12 months'],
] as const

function RangeBar() {
  const { address, change } = useListAddress()
  const today = londonDay(new Date())
  const firstOf = (days: string) => addDays(today, 1 - Number(days))
  const from = address.from ?? firstOf('30')
  const to = address.to ?? today
  const chosen = to === today ? ranges.find(([days]) => from === firstOf(days))?.[0] : undefined
  return (
    <div className="engagement__range">
      <SelectField
        label="Days"
        value={chosen ?? ''}
        onChange={({ target }) => target.value && change({ from: firstOf(target.value), to: today })}
      >
        {chosen === undefined && <option value="">Custom dates</option>}
        {ranges.map(([days, label]) => (
          <option key={days} value={days}>
            {label}
          </option>
        ))}
      </SelectField>
      <DateField label="From" missingYear="last" value={from} max={to} onSettle={(day) => change({ from: day })} />
      <DateField
        label="To"
        missingYear="last"
        value={to}
        min={from}
        max={today}
        onSettle={(day) => change({ to: day })}
      />
    </div>
  )
}

type Period = { name: string; label: string; visits: number; views: number }

const periodColumns: readonly Column<Period>[] = [
  textColumn('When', ({ label }) => label, 'who'),
  textColumn('Visits', ({ visits }) => String(visits), 'number'),
  textColumn('Page views', ({ views }) => String(views), 'number'),
]

/** Longer ranges are summed by month, or the columns would be too narrow. */
const mostDaysDrawn = 62

function periodsOf(days: VisitFigures['days']): Period[] {
  if (days.length <= mostDaysDrawn)
    return days.map(({ day, ...counts }) => ({ name: day, label: formatLongDate(day), ...counts }))
  return [...Map.groupBy(days, ({ day }) => day.slice(0, 7))].map(([month, ofMonth]) => ({
    name: month,
    label: formatMonthAndYear(`${month}-15`),
    visits: ofMonth.reduce((sum, { visits }) => sum + visits, 0),
    views: ofMonth.reduce((sum, { views }) => sum + views, 0),
  }))
}

function Figures({ figures }: { figures: VisitFigures }) {
  const periods = periodsOf(figures.days)
  const isEmpty = figures.days.every(({ visits, views }) => visits + views === 0)
  return (
    <>
      {isEmpty ? (
        <EmptyState title="No visits on these days">
          They show up here as people look at the site. Owners’ devices, bots and browsers that ask not to be tracked
          aren’t counted.
        </EmptyState>
      ) : (
        <ShortList
          isPart
          title="Visits"
          name="visits"
          query={loaded(periods)}
          columns={periodColumns}
          idOf={({ name }) => name}
          chart={
            <ColumnsChart
              name="Visits"
              sentence={<VisitsSentence {...figures} />}
              labels={periods.map(({ label }) => label)}
              series={[{ name: 'Visits', values: periods.map(({ visits }) => visits) }]}
              format={String}
            />
          }
        />
      )}
      <Funnel funnel={figures.funnel} />
      <Forms forms={figures.forms} />
      <Counts title="Where visits come from" name="sources" counts={figures.sources} nameOf={sourceName} />
      <Counts title="Pages" name="pages" counts={figures.pages} nameOf={pageName} />
    </>
  )
}

const visitsOf = (days: VisitFigures['days']) => days.reduce((sum, { visits }) => sum + visits, 0)

/** Beside as many days before. */
function VisitsSentence({ from, days }: VisitFigures) {
  const { data } = useQuery(visitsQuery({ from: addDays(from, -days.length), to: addDays(from, -1) }))
  const visits = visitsOf(days)
  const when = `in the ${days.length} days before`
  const compared = data && comparedWith(visits, visitsOf(data.days), { when, format: String, fewer: 'fewer' })
  return `${plural(visits, 'visit')}${compared === undefined ? '' : `, ${compared}`}.`
}

type Step = { name: string; count: number; share: string }

const stepColumns: readonly Column<Step>[] = [
  textColumn('Step', ({ name }) => name, 'who'),
  textColumn('Count', ({ count }) => String(count), 'number'),
  textColumn('Conversion', ({ share }) => share, 'number'),
]

function Funnel({ funnel }: Pick<VisitFigures, 'funnel'>) {
  const steps = funnel.map(({ step, count }, at) => ({
    name: stepNames[step],
    count,
    share: percentOf(count, funnel[at - 1]?.count),
  }))
  return (
    <ShortList
      isPart
      foldsOnPhone
      title="From visit to membership"
      name="funnel"
      query={loaded(steps)}
      columns={stepColumns}
      idOf={({ name }) => name}
      note="We count the first three steps as people browse, and the rest from your books. So a step can be bigger than the one before."
      chart={
        <BarsChart
          sentence={`${steps.at(-1)?.count ?? 0} paid for the first time, from ${plural(steps[0]?.count ?? 0, 'visit')}.`}
          bars={steps.map(({ name, count }) => ({ label: name, value: count }))}
        />
      }
    />
  )
}

type FormRow = VisitFigures['forms'][number]

const formColumns: readonly Column<FormRow>[] = [
  textColumn('Form', ({ form }) => formName(form), 'who'),
  textColumn('Started', ({ begun }) => String(begun), 'number'),
  textColumn('Sent', ({ sent }) => String(sent), 'number'),
  textColumn('Completion rate', ({ begun, sent }) => percentOf(sent, begun), 'number'),
]

const sumOf = (forms: readonly FormRow[], what: 'begun' | 'sent') => forms.reduce((sum, form) => sum + form[what], 0)

const Forms = ({ forms }: Pick<VisitFigures, 'forms'>) => (
  <ShortList
    isPart
    foldsOnPhone
    title="Forms"
    name="forms"
    query={loaded(forms)}
    columns={formColumns}
    idOf={({ form }) => form}
    chart={
      <BarsChart
        sentence={`${sumOf(forms, 'sent')} sent, of ${sumOf(forms, 'begun')} started. Dark: sent.`}
        bars={forms.map(({ form, begun, sent }) => ({
          label: formName(form),
          value: Math.max(begun, sent),
          part: sent,
        }))}
      />
    }
  />
)

type Count = VisitFigures['sources'][number]
type CountsProps = { title: string; name: string; counts: readonly Count[]; nameOf: (name: string) => string }

/** The table has the rest. */
const mostBars = 8

function Counts({ title, name, counts, nameOf }: CountsProps) {
  const [most] = counts
  const sum = counts.reduce((all, { count }) => all + count, 0)
  const columns: readonly Column<Count>[] = [
    textColumn('Name', (row) => nameOf(row.name), 'who'),
    textColumn('Count', ({ count }) => String(count), 'number'),
    textColumn('Share', ({ count }) => percentOf(count, sum), 'number'),
  ]
  return (
    <ShortList
      isPart
      foldsOnPhone
      title={title}
      name={name}
      columns={columns}
      query={loaded(counts)}
      idOf={(row) => row.name}
      empty={{ title: 'Nothing yet', text: 'No visits on these days.' }}
      chart={
        most && (
          <BarsChart
            sentence={`${nameOf(most.name)} leads with ${percentOf(most.count, sum)}.`}
            bars={counts.slice(0, mostBars).map((row) => ({ label: nameOf(row.name), value: row.count }))}
          />
        )
      }
    />
  )
}
