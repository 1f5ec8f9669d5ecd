import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { api, parseResponse } from '#pwa/lib/api.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { Email } from '#shared/contract/fields.ts'
import {
  CreateQuotientPaymentRequest,
  CreateQuotientPaymentResponse,
  QuotientOrderForm,
} from '#shared/contract/quotient.ts'
import { type QuotientPackage, quotientPrices } from '#shared/contract/quotient-setups.ts'
import type { OrderDetails, OrderRequest } from './checkout-draft.ts'

const { firstName, lastName, agreeToTerms } = QuotientOrderForm.entries

/** What step 1 itself insists on; the button asks for the business name as well. */
export const NeededDetails = v.object({ firstName, lastName, email: Email, agreeToTerms })

/** The body that is sent, as the server will read it. */
export const toOrder = (details: OrderDetails, packageType: QuotientPackage) =>
  v.safeParse(CreateQuotientPaymentRequest, {
    ...details,
    name: `${details.firstName.trim()} ${details.lastName.trim()}`,
    packageType,
    packagePrice: quotientPrices[packageType],
  })

/** Begins the payment, or finds the one that was begun. With an address, it is kept with the order. */
export function beginOrder({ key, body }: OrderRequest, billingAddress?: BillingAddress) {
  const sent = billingAddress ? { ...body, billingAddress } : body
  const call = api.api['create-quotient-payment'].post(sent, { headers: { 'idempotency-key': key } })
  return parseResponse(CreateQuotientPaymentResponse, call)
}

/** After a reload, and when the signal returns; what is known is not asked for again. */
export const orderQuery = (request: OrderRequest) =>
  queryOptions({
    queryKey: ['quotient-order', request],
    queryFn: () => beginOrder(request),
    staleTime: Number.POSITIVE_INFINITY,
    networkMode: 'always',
    refetchOnReconnect: true,
  })
