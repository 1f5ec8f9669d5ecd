import { queryOptions, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense } from 'react'
import { RevenueCard } from '#pwa/features/admin/frame/revenue-card.tsx'
import { ListState } from '#pwa/features/admin/list/list.tsx'
import { adminKey } from '#pwa/features/admin/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Today } from '#shared/contract/today.ts'
import { formatClock } from '#shared/rules/london.ts'
import { EmailReportsPart } from './email-reports.tsx'
import { AppliedPart, AtRiskPart, CallsPart, FailuresPart, MessagesPart, PaidPart } from './people.tsx'
import { FindingsPart, JobsPart, MailPart } from './system.tsx'
import { TargetCard } from './target-card.tsx'
import './today.css'

const SetupSection = lazy(() => import('./setup/setup.tsx'))

const todayQuery = queryOptions({
  queryKey: [adminKey, 'today'],
  queryFn: () => parseResponse(Today, api.api.admin.today.get()),
  staleTime: 0,
  refetchInterval: 5 * 60_000,
  refetchOnReconnect: true,
})

export default function TodaySection() {
  const { data, ...state } = useQuery(todayQuery)
  return (
    <>
      <Suspense fallback={null}>
        <SetupSection />
      </Suspense>
      <div className="panel">
        <div className="panel__top">
          {data && <p className="label">As of {formatClock(data.asOf)}</p>}
          <Button look="line" isSmall icon="sync" isBusy={state.isFetching} onClick={() => state.refetch()}>
            Check again
          </Button>
        </div>
        <ListState {...state} />
        {data ? <Parts today={data} /> : state.error === null && <Skeleton size="block" />}
      </div>
      <div className="board__heads">
        <TargetCard />
        <RevenueCard />
      </div>
    </>
  )
}

const Parts = ({ today }: { today: Today }): ReactNode => (
  <div className="day">
    <div>
      <AppliedPart {...today} />
      <MessagesPart {...today.contacts} />
      <FailuresPart {...today.failures} />
      {today.emailReports.length > 0 && <EmailReportsPart reports={today.emailReports} />}
      <AtRiskPart atRisk={today.atRisk} />
      <CallsPart {...today.calls} />
    </div>
    <div>
      <PaidPart {...today.payments} />
      <MailPart {...today.mail} />
      <JobsPart jobs={today.jobs} />
      <FindingsPart findings={today.findings} />
    </div>
  </div>
)
