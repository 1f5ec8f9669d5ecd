import { queryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { RevenueCard } from '#pwa/features/admin/kit/revenue-card.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Today } from '#shared/contract/today.ts'
import { formatClock } from '#shared/rules/london.ts'
import { EmailReportsPart } from './email-reports.tsx'
import { Figures } from './figures.tsx'
import { AppliedPart, FailuresPart, MessagesPart, QuestionsPart } from './people.tsx'
import { TargetCard } from './target-card.tsx'
import { useReleaseOnLeaving } from './use-hold.tsx'
import { systemCount, useQueue } from './use-queue.ts'
import { AtRiskPart, CallsPart, DuePart, PaidPart } from './week.tsx'
import './today.css'

const SystemParts = lazy(() => loadFile(() => import('./system.tsx')))
const SetupSection = lazy(() => loadFile(() => import('./setup/setup.tsx')))

const todayQuery = queryOptions({
  queryKey: [adminKey, 'today'],
  queryFn: () => parseResponse(Today, api.api.admin.today.get()),
  staleTime: 0,
  refetchInterval: 5 * 60_000,
  refetchOnReconnect: true,
})

export default function TodaySection() {
  const { data, ...state } = useQuery(todayQuery)
  useReleaseOnLeaving()
  return (
    <>
      {data && <Figures due={data.failures.due} />}
      <Suspense fallback={null}>
        <SetupSection />
      </Suspense>
      {data ? (
        <Queue today={data} state={state} />
      ) : (
        <div className="panel">
          <div className="panel__top">
            <CheckAgain {...state} />
          </div>
          <ListState {...state} />
          {state.error === null && <Skeleton size="block" />}
        </div>
      )}
      <div className="board__heads">
        <TargetCard />
        <RevenueCard />
      </div>
    </>
  )
}

type State = Omit<UseQueryResult, 'data'>

const CheckAgain = ({ isFetching, refetch }: Pick<State, 'isFetching' | 'refetch'>) => (
  <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
    Check again
  </Button>
)

function Queue({ today, state }: { today: Today; state: State }) {
  const { left, count } = useQueue(today)
  return (
    <div className="panel">
      <div className="panel__top">
        <h2>
          To do <Badge tone={count > 0 ? 'open' : 'ok'}>{count}</Badge>
        </h2>
        <p className="label">As of {formatClock(today.asOf)}</p>
        <CheckAgain {...state} />
      </div>
      <ListState {...state} />
      <div className="day">
        <div>
          {count > 0 ? <ToDo today={left} /> : <EmptyState title="All done">Nothing’s waiting for you.</EmptyState>}
        </div>
        <section aria-labelledby="week">
          <h2 className="day__week" id="week">
            The next 7 days
          </h2>
          <CallsPart {...today} />
          <DuePart {...today} left={left.chase} />
          <AtRiskPart {...today} />
          <PaidPart {...today.payments} />
        </section>
      </div>
    </div>
  )
}

const ToDo = ({ today }: { today: Today }) => (
  <>
    <FailuresPart {...today.chase} />
    <AppliedPart {...today} />
    <QuestionsPart {...today.questions} />
    <MessagesPart {...today.contacts} />
    {today.emailReports.length > 0 && <EmailReportsPart reports={today.emailReports} />}
    <Suspense>{systemCount(today) > 0 && <SystemParts {...today} />}</Suspense>
  </>
)
