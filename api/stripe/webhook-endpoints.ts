import type Stripe from 'stripe'
import type { HasStripe } from './client.ts'

type EventName = Stripe.WebhookEndpointCreateParams.EnabledEvent

/** Every event that means a customer has changed. The server then reads the rest. */
const events: EventName[] = [
  ...(['customer.created', 'customer.updated', 'customer.deleted'] as const),
  ...(['customer.subscription.created', 'customer.subscription.updated', 'customer.subscription.deleted'] as const),
  ...(['customer.subscription.trial_will_end', 'customer.subscription.pending_update_applied'] as const),
  ...(['customer.subscription.pending_update_expired', 'customer.subscription.paused'] as const),
  ...(['customer.subscription.resumed', 'customer.discount.created', 'customer.discount.updated'] as const),
  ...(['customer.discount.deleted', 'invoiceitem.created', 'invoiceitem.deleted'] as const),
  ...(['invoice.created', 'invoice.updated', 'invoice.finalized', 'invoice.paid', 'invoice.payment_failed'] as const),
  ...(['invoice.payment_action_required', 'invoice.voided', 'invoice.marked_uncollectible'] as const),
  ...(['charge.succeeded', 'charge.failed', 'charge.refunded', 'charge.updated', 'charge.dispute.created'] as const),
  ...(['charge.dispute.closed', 'payment_intent.succeeded', 'payment_intent.payment_failed'] as const),
  ...(['setup_intent.succeeded', 'setup_intent.setup_failed', 'refund.created', 'refund.updated'] as const),
  ...(['refund.failed', 'payment_method.attached', 'payment_method.detached', 'payment_method.updated'] as const),
  ...(['subscription_schedule.created', 'subscription_schedule.updated', 'subscription_schedule.released'] as const),
  ...(['subscription_schedule.canceled', 'subscription_schedule.completed'] as const),
]

/** Whether Stripe already sends events to this address. It doesn't show that endpoint's secret again. */
export async function hasWebhookEndpoint({ stripe }: Pick<HasStripe, 'stripe'>, url: string): Promise<boolean> {
  for await (const endpoint of stripe.webhookEndpoints.list({ limit: 100 })) if (endpoint.url === url) return true
  return false
}

/** Makes Stripe send events to this address. Returns the signing secret. */
export async function createWebhookEndpoint({ stripe }: Pick<HasStripe, 'stripe'>, url: string): Promise<string> {
  const { secret } = await stripe.webhookEndpoints.create({ url, enabled_events: events })
  if (secret === undefined) throw new Error('Stripe gave no signing secret.')
  return secret
}
