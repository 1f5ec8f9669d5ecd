import { useEffect, useState } from 'react'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { type NextPayment, NextPaymentPreview, type NextPaymentQuery } from '#shared/contract/billing.ts'
import type { MemberRecord } from '#shared/contract/member-record.ts'

type Known = NextPaymentQuery & { next: NextPaymentPreview }

/** What a member's next payment would be after a change. Null while we don't know, or if Stripe doesn't say. */
export const useNextPayment = (record: Pick<MemberRecord, 'member'>, query: NextPaymentQuery): NextPayment | null =>
  useNextPaymentPreview(record, query)?.nextPayment ?? null

/** The same. Undefined while we don't know. */
export function useNextPaymentPreview(
  { member }: Pick<MemberRecord, 'member'>,
  { change, tierSlug, priceId }: NextPaymentQuery,
): NextPaymentPreview | undefined {
  const [known, setKnown] = useState<Known | null>(null)
  useEffect(() => {
    let isOver = false
    const query = {
      change,
      ...(tierSlug === undefined ? {} : { tierSlug }),
      ...(priceId === undefined ? {} : { priceId }),
    }
    const route = api.api.admin.members({ memberId: member.id })['next-payment']
    parseResponse(NextPaymentPreview, route.get({ query })).then(
      (next) => {
        if (!isOver) setKnown({ ...query, next })
      },
      // Without Stripe's word the dialog names no sum.
      () => {},
    )
    return () => {
      isOver = true
    }
  }, [member.id, change, tierSlug, priceId])
  return known?.change === change && known.tierSlug === tierSlug && known.priceId === priceId ? known.next : undefined
}
