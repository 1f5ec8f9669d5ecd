import type Stripe from 'stripe'

/* An account as other programs leave it: their prices, taxes, coupons and states, and nothing that names one of our tiers. */

type Catalogue = Awaited<ReturnType<typeof createCatalogue>>
type Person = { stripe: Stripe; customer: string; made: Catalogue }
type Change = Partial<Stripe.SubscriptionCreateParams>

async function createCatalogue(stripe: Stripe) {
  const product = (await stripe.products.create({ name: 'The Club' })).id
  const priced = async (unit_amount: number, more: Partial<Stripe.PriceCreateParams> = {}) =>
    (await stripe.prices.create({ product, currency: 'gbp', unit_amount, recurring: { interval: 'month' }, ...more }))
      .id
  const rate = async (percentage: number, inclusive: boolean) =>
    (await stripe.taxRates.create({ display_name: 'VAT', percentage, inclusive, country: 'GB' })).id
  const [monthly, gold, dollars] = [await priced(25_000), await priced(4999), await priced(2900, { currency: 'usd' })]
  return {
    monthly,
    gold,
    dollars,
    yearly: await priced(250_000, { recurring: { interval: 'year' } }),
    quarterly: await priced(75_000, { recurring: { interval: 'month', interval_count: 3 } }),
    weekly: await priced(6000, { recurring: { interval: 'week' } }),
    onTop: await rate(20, false),
    inside: await rate(20, true),
    reduced: await rate(5, false),
    coupon: (await stripe.coupons.create({ percent_off: 25, duration: 'forever' })).id,
  }
}

const sell = ({ stripe, customer, made }: Person, more: Change = {}) =>
  stripe.subscriptions.create({ customer, items: [{ price: made.monthly }], ...more })

async function withCard({ stripe, customer }: Person, card = 'pm_card_visa'): Promise<void> {
  const { id } = await stripe.paymentMethods.attach(card, { customer })
  await stripe.customers.update(customer, { invoice_settings: { default_payment_method: id } })
}

type Life = (person: Person) => Promise<Stripe.Subscription>

/** Bought with a card, which is charged straight away. */
const paying =
  (change: (made: Catalogue) => Change = () => ({}), card?: string): Life =>
  async (person) => {
    await withCard(person, card)
    return sell(person, change(person.made))
  }

const priced = (name: 'gold' | 'yearly' | 'quarterly' | 'dollars' | 'weekly') =>
  paying((made) => ({ items: [{ price: made[name] }] }))

const taxed = (name: 'onTop' | 'inside' | 'reduced') => paying((made) => ({ default_tax_rates: [made[name]] }))

const changed =
  (change: (stripe: Stripe, id: string) => Promise<unknown>): Life =>
  async (person) => {
    const bought = await paying()(person)
    await change(person.stripe, bought.id)
    return bought
  }

async function scheduleForAYear(stripe: Stripe, id: string): Promise<void> {
  const schedule = await stripe.subscriptionSchedules.create({ from_subscription: id })
  const [now] = schedule.phases
  const items = [{ price: String(now?.items[0]?.price) }]
  await stripe.subscriptionSchedules.update(schedule.id, {
    phases: [
      { items, start_date: now?.start_date ?? 0, end_date: now?.end_date ?? 0 },
      { items, duration: { interval: 'month', interval_count: 12 } },
    ],
  })
}

/** What becomes of each person, by turns. */
const lives: readonly Life[] = [
  paying(),
  ...[taxed('onTop'), taxed('inside'), taxed('reduced')],
  ...[priced('gold'), priced('yearly'), priced('quarterly'), priced('dollars'), priced('weekly')],
  paying((made) => ({ discounts: [{ coupon: made.coupon }] })),
  paying((made) => ({ items: [{ price: made.monthly, quantity: 3 }] })),
  paying((made) => ({ items: [{ price: made.monthly }, { price: made.gold }] })),
  paying(() => ({ trial_period_days: 90 })),
  // Their card fails with the first payment.
  paying(() => ({ trial_period_days: 20 }), 'pm_card_chargeCustomerFail'),
  (person) => sell(person, { trial_period_days: 90 }),
  (person) => sell(person, { payment_behavior: 'default_incomplete' }),
  changed((stripe, id) => stripe.subscriptions.update(id, { pause_collection: { behavior: 'void' } })),
  changed((stripe, id) => stripe.subscriptions.update(id, { cancel_at_period_end: true })),
  changed((stripe, id) => stripe.subscriptions.cancel(id)),
  changed(scheduleForAYear),
  async (person) => {
    await paying()(person)
    return paying()(person)
  },
]

/** Fills an account by Stripe's own library, as many people as asked for. Every fiftieth has no address. */
export async function fillForeignAccount(stripe: Stripe, people: number): Promise<void> {
  const made = await createCatalogue(stripe)
  for (let at = 0; at < people; at += 1) {
    const address = at % 50 === 40 ? {} : { email: `person${at}@example.com`, name: `Person ${at}` }
    const { id: customer } = await stripe.customers.create(address)
    await lives[at % lives.length]?.({ stripe, customer, made })
  }
}

export const foreignLives = lives.length
