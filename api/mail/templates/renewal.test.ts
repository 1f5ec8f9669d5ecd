import { describe, expect, test } from 'vitest'
import { withVat } from '#shared/rules/money.ts'
import { renderMail } from './layout.ts'
import { coolingOffMail, fullPriceMail, type RenewalNotice, reminderMail, renewalMail } from './renewal.ts'

const sender = {
  url: 'https://alliance.example',
  disclosure: 'Alliance Ltd',
  brand: { name: 'Alliance', tagline: 'Built for trades' },
}
const year = withVat(250_000)
const notice: RenewalNotice = {
  firstName: 'Sam',
  tierName: 'Alliance <XL>',
  next: { on: '2028-06-12', ...year, fromCredit: 0, due: year.total },
  period: { months: 12 },
  change: null,
  billingUrl: 'https://alliance.example/members?tab=billing&a=b',
}
const textOf = (of: Partial<RenewalNotice>) => renderMail(renewalMail({ ...notice, ...of }), sender).text
const next = (of: Partial<RenewalNotice['next']>) => textOf({ next: { ...notice.next, ...of } })

describe('before a year renews', () => {
  test('text and HTML say the same, and escape what people typed', () => {
    const { subject, text, html } = renderMail(renewalMail(notice), sender)
    expect(subject).toBe('Your membership renews on 12 June 2028')
    const sentence = 'We’ll take £3,000.00 (£2,500.00 + £500.00 VAT) on 12 June 2028 for your next year of'
    expect(text).toContain(`${sentence} Alliance <XL>.`)
    expect(html).toContain(`${sentence} Alliance &lt;XL&gt;.`)
    for (const body of [text, html]) expect(body).toContain('press Cancel membership, and press it again to confirm')
  })

  test('credit, a debt, a free year and an add-on change what it says', () => {
    expect(next({ fromCredit: 10_000, due: 290_000 })).toContain('We’ll take £2,900.00 on 12 June 2028')
    expect(next({ fromCredit: 10_000, due: 290_000 })).toContain('Price: £3,000.00 (£2,500.00 + £500.00 VAT)')
    expect(next({ fromCredit: 300_000, due: 0 })).toContain('Your credit pays for your next year of Alliance <XL>')
    expect(next({ net: 0, vat: 0, total: 0, due: 0 })).toContain('There’s nothing to pay on 12 June 2028')
    expect(next({ others: [{ description: 'Texts', total: 4_800 }] })).toContain('Texts: £48.00')
  })

  test('a change of price, tier or period is named with both prices', () => {
    const to = (net: number, months: number) => ({ ...withVat(net), months })
    const price = textOf({ change: { tierName: notice.tierName, before: to(250_000, 12), after: to(270_000, 12) } })
    expect(price).toContain('Your price changes that day.')
    expect(price).toContain('Until then: £2,500.00 + VAT a year\nFrom then on: £2,700.00 + VAT a year')
    const tier = textOf({
      period: { months: 1 },
      change: { tierName: 'Lite', before: to(250_000, 12), after: to(12_500, 1) },
    })
    expect(tier).toContain('Your tier changes that day, from Alliance <XL> to Lite.')
    expect(tier).toContain('on 12 June 2028 for a month of Lite.')
    expect(tier).toContain('From then on: £125.00 + VAT a month')
    const period = textOf({ change: { tierName: notice.tierName, before: to(25_000, 1), after: to(250_000, 12) } })
    expect(period).toContain('on 12 June 2028 for a year of Alliance <XL>.')
    expect(period).toContain('From that day you pay by the year.')
  })
})

describe('to private customers', () => {
  const month = { ...notice, next: { on: '2028-06-12', ...withVat(25_000), fromCredit: 0, due: 30_000 }, period: {} }

  test('a reminder says that it goes on, what’s next and how to stop', () => {
    const { text } = renderMail(reminderMail(month), sender)
    expect(text).toContain('You pay for Alliance <XL> every month, until you cancel.')
    expect(text).toContain('We’ll take £300.00 (£250.00 + £50.00 VAT) on 12 June 2028 for your next month')
    expect(text).toContain('press Cancel membership')
  })

  test('before the first full price', () => {
    const { subject, text } = renderMail(fullPriceMail(month), sender)
    expect(subject).toBe('You pay the full price from 12 June 2028')
    expect(text).toContain('Your free or reduced price for Alliance <XL> ends on 12 June 2028.')
  })

  test('as a year begins: its days, how to cancel, what comes back, and nothing else', () => {
    const { text } = renderMail(
      coolingOffMail({
        firstName: 'Sam',
        tierName: 'Alliance',
        period: { months: 12 },
        paid: 300_000,
        begins: '2028-06-12',
        until: '2028-06-26',
        ends: '2029-06-12',
        contactUrl: 'https://alliance.example/contact',
        email: 'hi@alliance.example',
        billingUrl: notice.billingUrl,
      }),
      sender,
    )
    expect(text.split('\n-- ')[0]).toBe(`Hello Sam, you can cancel until 26 June 2028

Your year of Alliance began on 12 June 2028 and runs to 12 June 2029. You paid £3,000.00 for it. You have until the end of 26 June 2028 to change your mind.

To cancel, tell us clearly: open Billing and press Cancel membership, email hi@alliance.example, or use our contact form: https://alliance.example/contact

We’ll end your membership and refund the days you haven’t used, counted from the day you tell us. You don’t need a reason.

Open Billing:
https://alliance.example/members?tab=billing&a=b
`)
  })
})
