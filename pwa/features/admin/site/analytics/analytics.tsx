import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { outsideTools, usePrivacyChoice } from '#pwa/lib/privacy-choice.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { type TrackedEvent, track } from '#pwa/lib/track.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Cell, Row, Table } from '#pwa/ui/table.tsx'
import { type EventCount, EventCountList } from '#shared/contract/admin-analytics.ts'
import { testEventPath } from '#shared/values/analytics-path.ts'
import './analytics.css'

const eventCountsQuery = queryOptions({
  queryKey: [adminKey, 'event-counts'],
  queryFn: () => parseResponse(EventCountList, api.api.admin.analytics.counts.get()),
  staleTime: 0,
  refetchOnReconnect: true,
})

export default function AnalyticsSection() {
  return (
    <div className="measures">
      <div className="panel__top">
        <h2>Analytics</h2>
        <TextLink isTap to="/admin/$place" params={{ place: 'watching' }}>
          See engagement
        </TextLink>
      </div>
      <TrackingWidget />
      <ToolsCard />
      <EventsSection />
    </div>
  )
}

const choiceLabels = {
  agreed: 'You’ve accepted analytics on this device, so outside tools get your events too.',
  refused: 'You’ve rejected analytics on this device, so only we count your events.',
  open: 'You haven’t chosen on this device yet, so only we count your events.',
}

function TrackingWidget() {
  const { measuring } = useSiteContent()
  const choice = usePrivacyChoice(measuring)
  const hasTools = outsideTools(measuring).length > 0
  return (
    <section aria-labelledby="tracking">
      <h3 id="tracking">Tracking</h3>
      <p>
        <Badge tone="ok">On</Badge> Every page view and event is counted on our own server, with no cookies and no
        names.
      </p>
      <p>{hasTools ? choiceLabels[choice] : 'No outside tools are set up, so visitors aren’t asked.'}</p>
    </section>
  )
}

/** Owners set the tools’ ids under Settings, unless the environment does. */
function ToolsCard() {
  const { measuring } = useSiteContent()
  const tools = [
    { name: 'Visit analytics', address: measuring.analytics },
    { name: 'Advert pixel', address: measuring.pixel },
  ]
  return (
    <section aria-labelledby="tools">
      <h3 id="tools">Analytics tools</h3>
      <dl className="measures__tools">
        {tools.map(({ name, address }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              {address ? <Badge tone="ok">Set up</Badge> : <Badge>Not set up</Badge>}{' '}
              {address ? (
                `${new URL(address).host}, loaded once a visitor accepts.`
              ) : (
                <TextLink to="/admin/$place" params={{ place: 'addresses' }} search={{ group: 'measuring' }}>
                  Set it up in Settings
                </TextLink>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

type Tested = { tracked: TrackedEvent; when: string }

const tested: Record<EventCount['name'], Tested> = {
  page_view: { tracked: { name: 'page_view' }, when: 'Someone opens a page' },
  form_begun: { tracked: { name: 'form_begun' }, when: 'Someone starts a form' },
  purchase: {
    tracked: { name: 'purchase', value: 0 },
    when: 'Someone pays for a membership or setup, with its value in pounds',
  },
  form_submit: {
    tracked: { name: 'form_submit', applicationType: 'test' },
    when: 'Someone sends a form, with its kind',
  },
  video_complete: {
    tracked: { name: 'video_complete', videoName: 'Test' },
    when: 'A member ticks off a video, with its name',
  },
  login: { tracked: { name: 'login' }, when: 'A member logs in' },
}

type Sent = { name: EventCount['name']; before: number }

/** “Send” fires an event exactly as the site does. */
function EventsSection() {
  const [sent, setSent] = useState<Sent | null>(null)
  const { data, error, dataUpdatedAt, isFetching, refetch } = useQuery({
    ...eventCountsQuery,
    refetchInterval: ({ state }) => (sent && !hasArrived(state.data, sent) ? 1000 : 5 * 60_000),
  })
  return (
    <div className="measures__events">
      <h3>Tracked events</h3>
      <p className="second">
        Counted on our own server, with no cookies. Bots, owners’ devices and browsers that ask not to be tracked aren’t
        included. Tests are counted separately.
      </p>
      <ListState error={error} dataUpdatedAt={dataUpdatedAt} isFetching={isFetching} refetch={refetch} />
      {data ? (
        <EventTable
          counts={data}
          onTest={(count) => {
            setSent({ name: count.name, before: count.tests })
            track(tested[count.name].tracked, testEventPath)
          }}
        />
      ) : (
        error === null && <Skeleton size="block" />
      )}
      <p role="status">{sent && statusOf(sent, hasArrived(data, sent))}</p>
    </div>
  )
}

const hasArrived = (counts: readonly EventCount[] | undefined, { name, before }: Sent) =>
  (counts?.find((count) => count.name === name)?.tests ?? 0) > before

function statusOf({ name }: Sent, isThere: boolean): string {
  if (!isThere)
    return navigator.onLine ? `${name}: sent, not counted yet.` : `${name}: not counted, because you’ve no signal.`
  return `${name}: counted by our server${globalThis.dataLayer ? ' and sent to the outside tools' : ''}.`
}

type TableProps = { counts: readonly EventCount[]; onTest: (count: EventCount) => void }

const EventTable = ({ counts, onTest }: TableProps) => (
  <Table caption="Tracked events" isStacked>
    <thead>
      <tr>
        <th scope="col">Event</th>
        <th scope="col" className="n">
          Today
        </th>
        <th scope="col" className="n">
          7 days
        </th>
        <th scope="col" className="n">
          30 days
        </th>
        <th scope="col" className="n">
          Tests
        </th>
        <th scope="col">Test</th>
      </tr>
    </thead>
    <tbody>
      {counts.map((count) => (
        <Row key={count.name}>
          <Cell kind="who">
            {count.name}
            <small>{tested[count.name].when}</small>
          </Cell>
          <Cell kind="number" label="Today">
            {count.today}
          </Cell>
          <Cell kind="number" label="7 days">
            {count.days7}
          </Cell>
          <Cell kind="number" label="30 days">
            {count.days30}
          </Cell>
          <Cell kind="number" label="Tests">
            {count.tests}
          </Cell>
          <Cell>
            <Button look="line" isSmall aria-label={`Send a test: ${count.name}`} onClick={() => onTest(count)}>
              Send a test
            </Button>
          </Cell>
        </Row>
      ))}
    </tbody>
  </Table>
)
