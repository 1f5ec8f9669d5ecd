import { queryOptions } from '@tanstack/react-query'
import * as v from 'valibot'
import { api, parseResponse } from '#pwa/lib/api.ts'
import type { BillingAddress } from '#shared/contract/billing.ts'
import { Email } from '#shared/contract/fields.ts'
import {
  CreateQuotientPaymentRequest,
  CreateQuotientPaymentResponse,
  QuotientOrderForm,
  type QuotientPackage,
} from '#shared/contract/quotient.ts'
import { quotientPrices } from '#shared/rules/quotient-setups.ts'
import type { OrderDetails, OrderRequest } from './checkout-storage.ts'

const { firstName, lastName, agreeToTerms } = QuotientOrderForm.entries

/** The fields step 1 requires. Its button waits for the business name as well. */
export const RequiredDetails = v.object({ firstName, lastName, email: Email, agreeToTerms })

export const toOrder = (details: OrderDetails, packageType: QuotientPackage, termsVersion: string) =>
  v.safeParse(CreateQuotientPaymentRequest, {
    ...details,
    name: `${details.firstName.trim()} ${details.lastName.trim()}`,
    packageType,
    packagePrice: quotientPrices[packageType],
    termsVersion,
  })

export function createOrder({ key, body }: OrderRequest, billingAddress?: BillingAddress) {
  const sent = billingAddress ? { ...body, billingAddress } : body
  const call = api.api['create-quotient-payment'].post(sent, { headers: { 'idempotency-key': key } })
  return parseResponse(CreateQuotientPaymentResponse, call)
}

/** Requested after a reload and when the signal returns, unless step 1 already has the order. */
export const orderQuery = (request: OrderRequest) =>
  queryOptions({
    queryKey: ['quotient-order', request],
    queryFn: () => createOrder(request),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: true,
  })
