import { useQuery } from '@tanstack/react-query'
import { memberRecordQuery } from '#pwa/features/admin/kit/members/record-queries.ts'
import { RefundDialog } from '#pwa/features/admin/kit/members/refund-dialog.tsx'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'

type Props = { memberId: string; number: string; name: string; onClose: () => void }

/** Loads the member’s record first, for what’s left to refund. */
export default function RefundInPlace({ memberId, number, name, onClose }: Props) {
  const { data, error } = useQuery(memberRecordQuery(memberId))
  const payment = data?.payments.find((one) => one.number === number)
  if (data && payment && payment.refundable > 0)
    return <RefundDialog record={data} name={name} payment={payment} onClose={onClose} />
  return (
    <Dialog isOpen onClose={onClose} title={`Refund ${name}?`}>
      {data ? (
        <p>There’s nothing left to refund on invoice {number}.</p>
      ) : error ? (
        <Banner tone="bad" role="alert" title={messageOf(error, 'We couldn’t load the payment.')} />
      ) : (
        <Skeleton size="line" />
      )}
    </Dialog>
  )
}
