import { queryOptions, useQuery } from '@tanstack/react-query'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { adminKey, mrrQuery } from '#pwa/features/admin/kit/queries.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { isOffline, messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Stat } from '#pwa/ui/stat.tsx'
import { CommissionHistory } from '#shared/contract/commission.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { halfMinute } from './payment-texts.ts'

const historyQuery = queryOptions({
  queryKey: [adminKey, 'commission-history'],
  queryFn: () => parseResponse(CommissionHistory, api.api.admin['commission-history'].get()),
  staleTime: 0,
  refetchInterval: halfMinute,
  refetchOnReconnect: true,
})

export function CommissionSummary() {
  const { data, error, isFetching, refetch } = useQuery(historyQuery)
  const partner = useQuery(mrrQuery).data?.commission.partner ?? 'The sales partner'
  return (
    <div className="summary">
      <h2>Commission history</h2>
      {error && (
        <Banner
          tone="bad"
          role="status"
          title={isOffline(error) ? 'No signal' : 'Not up to date'}
          action={
            <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
              Try again
            </Button>
          }
        >
          {messageOf(error, 'We couldn’t load the commission history.')}
        </Banner>
      )}
      {data ? <Figures history={data} partner={partner} /> : error === null && <Skeleton size="figure" />}
    </div>
  )
}

/** On another page, with a way to what it's made of. */
export function CommissionOwed() {
  const { data } = useQuery(historyQuery)
  const partner = useQuery(mrrQuery).data?.commission.partner
  return (
    data &&
    partner !== undefined && (
      <div className="panel__note">
        <Owed pence={data.totalCommissionOutstanding} partner={partner} />
        <PlaceLink place="payments">See commission by member</PlaceLink>
      </div>
    )
  )
}

const Figures = ({ history, partner }: { history: CommissionHistory; partner: string }) => (
  <>
    <Owed pence={history.totalCommissionOutstanding} partner={partner} />
    <div className="summary__stats">
      <Stat figure={formatPoundsAndPence(history.totalCommissionOutstanding)} label="Total outstanding" />
      <Stat figure={formatPoundsAndPence(history.totalCommissionPaid)} label="Total commission paid" />
      <Stat figure={history.totalMembers} label="Total members" />
      <Stat figure={history.membersPaid} label="Members paid" />
      <Stat figure={history.membersUnpaid} label="Members unpaid" />
    </div>
    <p className="second">Outstanding includes up-sells and months that aren’t due yet.</p>
  </>
)

function Owed({ pence, partner }: { pence: number; partner: string }) {
  if (pence < 0)
    return (
      <Banner title={`${partner} owes back ${formatPoundsAndPence(-pence)}`}>
        Refunds clawed back more than you still owed. We’ll take it off the next commission.
      </Banner>
    )
  return (
    <p>{pence === 0 ? `You don’t owe ${partner} anything.` : `You owe ${partner} ${formatPoundsAndPence(pence)}.`}</p>
  )
}
