import type Stripe from 'stripe'
import { type Route, route } from './route.ts'

const account: Stripe.Account = {
  id: 'acct_sandbox',
  object: 'account',
  business_profile: {
    mcc: null,
    minority_owned_business_designation: null,
    name: 'Sandbox',
    specified_commercial_transactions_act_url: null,
    support_address: null,
    support_email: null,
    support_phone: null,
    support_url: null,
    url: null,
  },
  business_type: 'company',
  capabilities: { card_payments: 'active', transfers: 'active' },
  charges_enabled: true,
  country: 'GB',
  created: 0,
  default_currency: 'gbp',
  details_submitted: true,
  email: 'sandbox@example.test',
  metadata: {},
  payouts_enabled: true,
  type: 'standard',
}

export const accountRoutes: Route[] = [route('GET /v1/account', {}, () => account)]
