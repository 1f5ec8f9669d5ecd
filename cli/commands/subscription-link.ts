import { providerStatusLabel, yesNoLabel } from '#cli/labels.ts'
import { recordOutput } from '#cli/output.ts'
import { parseArgument, parseOption, request, withoutUnset } from '#cli/request.ts'
import { changeRow } from '#cli/rows.ts'
import { Email } from '#shared/contract/fields.ts'
import { LinkReference, SubscriptionLink, SubscriptionLinkPlan } from '#shared/contract/subscription-link.ts'
import { TierSlug } from '#shared/contract/tier.ts'
import { noteWords } from '#shared/rules/adoption-texts.ts'
import { formatPoundsAndPence } from '#shared/rules/money.ts'
import { formatPlanPrice } from '#shared/rules/price-words.ts'

type LinkFacts = SubscriptionLinkPlan & { reference: string; tier?: TierSlug | undefined }

export const linkRow = changeRow<LinkFacts>({
  usage: 'link <customer-or-subscription-id> <email>',
  options: [['--tier <tier>', 'take over a subscription another program sold, as this tier']],
  description: 'Link a customer who’s only at Stripe to their account, and sync their payments',
  examples: [
    'link cus_1Example sam@example.com --dry-run',
    'link sub_1Example sam@example.com',
    'link sub_1Example sam@example.com --tier standard',
  ],
  asks: true,
  plan({ argument, option }) {
    const reference = parseArgument(LinkReference, argument(0))
    const email = parseArgument(Email, argument(1))
    const tier = withoutUnset({ tier: parseOption(TierSlug, option('tier'), '--tier') })
    return async ({ api }) => {
      const query = { reference, email, ...tier }
      const plan = await request(SubscriptionLinkPlan, api.admin['subscription-links'].get({ query }))
      return { facts: { reference, ...tier, ...plan }, output: planOutput(plan), question: questionOf(plan) }
    }
  },
  apply:
    (_call, { reference, email, providerEmail, tier }) =>
    async ({ api }) => {
      const body = { reference, email, providerEmail, ...withoutUnset({ tier }) }
      const link = await request(SubscriptionLink, api.admin['subscription-links'].post(body))
      return linkedOutput(link, email)
    },
})

function questionOf({ isLinked, customer, email, providerEmail }: SubscriptionLinkPlan): string | null {
  if (isLinked) return null
  if (providerEmail?.toLowerCase() === email) return `Link ${customer} to the account of ${email}?`
  const other = providerEmail === null ? 'no address' : `the address ${providerEmail}`
  return `At Stripe ${customer} has ${other}. Link it to the account of ${email} anyway?`
}

function planOutput(plan: SubscriptionLinkPlan) {
  const { customer, email, providerEmail, subscription, leaves, payments, isLinked, adopts } = plan
  const membership =
    subscription === null
      ? 'ended'
      : `${subscription.tier}, ${providerStatusLabel(subscription.status).toLowerCase()}, ${formatPlanPrice(subscription.price)}`
  const invoices = payments.count === 0 ? 'none' : `${payments.count}, for ${formatPoundsAndPence(payments.total)}`
  const details = [
    { label: 'Customer', value: customer },
    { label: 'Their address', value: providerEmail ?? 'none' },
    { label: 'Account', value: isLinked ? `${email}, already linked` : email },
    { label: 'Membership', value: membership },
    { label: 'Invoices to issue', value: invoices },
    ...(adopts === null ? [] : adoptedDetails(adopts)),
    ...(leaves === null ? [] : [{ label: 'Instead of', value: `${leaves}, which keeps its invoices` }]),
  ]
  const record = {
    customer,
    email,
    providerEmail: providerEmail ?? '',
    isLinked,
    leaves: leaves ?? '',
    subscription: subscription?.id ?? '',
    tier: subscription?.tier ?? '',
    status: subscription?.status ?? '',
    payments: payments.count,
    total: payments.total,
    charged: adopts?.charged ?? '',
    kept: adopts?.kept ?? '',
  }
  return recordOutput('Plan', details, record, plan)
}

function adoptedDetails({ charged, kept, notes }: NonNullable<SubscriptionLinkPlan['adopts']>) {
  const each = `You keep ${formatPoundsAndPence(kept)} of ${formatPoundsAndPence(charged)}`
  const known = notes.map((note) => noteWords[note]).join(', ')
  return [{ label: 'Each payment', value: each }, ...(known === '' ? [] : [{ label: 'Good to know', value: known }])]
}

function linkedOutput(link: SubscriptionLink, email: string) {
  const { customer, wasLinked, status, hasAccess, invoices } = link
  const issued = invoices.length === 0 ? 'none' : invoices.join(', ')
  const details = [
    { label: 'Customer', value: customer },
    { label: 'Account', value: email },
    { label: 'Status', value: providerStatusLabel(status) },
    { label: 'Access', value: yesNoLabel(hasAccess) },
    { label: 'Invoices issued', value: issued },
  ]
  const record = { customer, email, wasLinked, status, hasAccess, invoices: invoices.join(' ') }
  return recordOutput(wasLinked ? 'Already linked, synced again' : 'Linked', details, record, { ...link, email })
}
