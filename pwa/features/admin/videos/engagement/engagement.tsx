import { useQuery } from '@tanstack/react-query'
import { type Column, textColumn } from '#pwa/features/admin/kit/list/list-table.tsx'
import { ShortList } from '#pwa/features/admin/kit/list/short-list.tsx'
import { percentOf } from '#pwa/features/admin/kit/percent-texts.ts'
import { RetentionSection } from '#pwa/features/admin/kit/retention.tsx'
import { BarsChart, TenthsChart } from '#pwa/ui/chart.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import type { VideoFigures } from '#shared/contract/engagement.ts'
import { plural } from '#shared/rules/plural.ts'
import { stopText } from './engagement-texts.ts'
import { videosQuery } from './queries.ts'
import { VisitsSection } from './visits.tsx'
import './engagement.css'

export default function EngagementSection() {
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
      <VideoFiguresSection />
    </>
  )
}

const videoColumns: readonly Column<VideoFigures>[] = [
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
  textColumn('Completion rate', ({ completed, started }) => percentOf(completed, started), 'number'),
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

export function VideoFiguresSection() {
  const query = useQuery(videosQuery)
  const most = query.data?.filter(({ started }) => started > 0).toSorted((one, other) => other.started - one.started)
  return (
    <ShortList
      isPart
      foldsOnPhone
      title="Videos"
      name="videos"
      query={query}
      columns={videoColumns}
      idOf={({ id }) => id}
      note="Started means played or ticked off. Wistia and StreamYard don’t tell us how far someone got."
      empty={{ title: 'No videos yet', text: 'Videos show up here once you add them under Videos.' }}
      before={
        most &&
        most.length > 0 && (
          <BarsChart
            sentence={`Most started: “${most[0]?.title}”, by ${plural(most[0]?.started ?? 0, 'person', 'people')}. Dark: ticked off.`}
            bars={most.slice(0, mostBars).map(({ title, started, completed }) => ({
              label: title,
              value: started,
              part: completed,
            }))}
          />
        )
      }
    />
  )
}
