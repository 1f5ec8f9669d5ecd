import { describe, expect, test } from 'vitest'
import { documentRows, statusBadge } from '#pwa/features/billing/invoices/invoice-texts.ts'
import {
  cancelledText,
  cancelTexts,
  resumedTexts,
  resumeTexts,
  tierChangeTexts,
  upgradeTexts,
} from '#pwa/features/billing/membership/dialog-texts.ts'
import type { Invoice, PaymentMethod } from '#shared/contract/billing.ts'
import { methodLabel } from '#shared/rules/payment-method.ts'
import { priceText } from '#shared/rules/payment-words.ts'
import { cardConsentText, expiryOf, noMethodText, openInvoiceText } from './billing-texts.ts'
import { billingOf, freeMonth, nextPayment } from './testing/billing.ts'

const litePrice = { net: 12_500, vat: 2_500, total: 15_000 }
const lite = { name: 'Alliance Lite', every: 'month' as const, ...litePrice }
const nextLite = { ...nextPayment, ...litePrice, due: 15_000 }

describe('what will be charged, and when', () => {
  test('an amount is shown with its parts', () => {
    expect(priceText(lite)).toBe('£150.00 (£125.00 + £25.00 VAT)')
  })

  test('a change of tier takes nothing today, and the new price with the next payment', () => {
    expect(tierChangeTexts(billingOf(), lite, nextLite)).toEqual([
      'You won’t be charged today.',
      { when: 'Until 12 July 2026', what: 'You keep Alliance XL' },
      { when: 'On 12 July 2026', what: 'We’ll take £150.00 (£125.00 + £25.00 VAT) for Alliance Lite' },
      { when: 'Every month after', what: 'The same' },
      'You can undo this until then, and cancel anytime.',
    ])
    const first = tierChangeTexts(billingOf({ firstPaymentOn: '2026-08-01', status: 'trialing' }), lite, null)
    expect(first.slice(2)).toEqual([
      { when: 'On 1 August 2026', what: 'Alliance Lite starts' },
      'You can undo this until then, and cancel anytime.',
    ])
    const half = { net: 6_250, vat: 1_250, total: 7_500, due: 7_500 }
    const halved = { ...nextLite, ...half, isEveryMonth: undefined }
    expect(tierChangeTexts(billingOf(), lite, halved).slice(2, 4)).toEqual([
      { when: 'On 12 July 2026', what: 'We’ll take £75.00 (£62.50 + £12.50 VAT) for Alliance Lite' },
      'You can undo this until then, and cancel anytime.',
    ])
  })

  test('a change between month and year names both, and says that a year repeats', () => {
    const billing = billingOf()
    const toYear = { name: 'Alliance XL', every: 'year' as const }
    const year = { ...nextPayment, isEveryMonth: undefined, isEveryYear: true, net: 450_000, vat: 90_000 }
    const booked = tierChangeTexts(billing, toYear, { ...year, total: 540_000, due: 540_000 })
    expect(booked.slice(1, 4)).toEqual([
      { when: 'Until 12 July 2026', what: 'You keep Alliance XL by the month' },
      {
        when: 'On 12 July 2026',
        what: 'We’ll take £5,400.00 (£4,500.00 + £900.00 VAT) for Alliance XL by the year',
      },
      { when: 'Every year after', what: 'The same' },
    ])
    expect(tierChangeTexts(billing, toYear, { ...freeMonth }).slice(2, 3)).toEqual([
      { when: 'On 12 July 2026', what: 'Alliance XL by the year starts. The first year is free' },
    ])
    const byYear = billingOf({ plan: { slug: 'xl', name: 'Alliance XL', ...year, total: 540_000, months: 12 } })
    expect(tierChangeTexts(byYear, { ...toYear, every: 'month' }, null).slice(1, 3)).toEqual([
      { when: 'Until 12 July 2026', what: 'You keep Alliance XL by the year' },
      { when: 'On 12 July 2026', what: 'Alliance XL by the month starts' },
    ])
    const own = { slug: 'xl', name: 'Alliance XL' }
    const today = upgradeTexts(billing, 'year', {
      attemptId: 'a',
      from: own,
      to: own,
      charge: { net: 450_000, vat: 90_000, total: 540_000 },
      credit: { net: 15_000, vat: 3_000, total: 18_000 },
      net: 435_000,
      vat: 87_000,
      total: 522_000,
      vatRate: 20,
      due: 522_000,
      fromCredit: 0,
      nextBill: { ...year, on: '2027-06-30', total: 540_000, due: 540_000 },
      card: { id: 'pm_1', type: 'card', brand: 'visa', last4: '4242', expMonth: 7, expYear: 2030 },
      expiresAt: '2026-06-30T10:00:00.000Z',
    })
    expect(today[0]).toBe(
      '£5,400.00 for Alliance XL by the year until 30 June 2027, less the £180.00 left of what you’ve paid for Alliance XL by the month.',
    )
    expect(today.slice(1).join(' ')).toBe(
      'We’ll take £5,220.00 from Visa ending 4242 now. Alliance XL by the year starts as soon as it’s paid. On 30 June 2027 we’ll take £5,400.00 (£4,500.00 + £900.00 VAT), then the same every year. You can cancel anytime.',
    )
  })

  test('cancelling says until when access runs, and that no more is taken', () => {
    const none = { nextPayment: null }
    const texts = cancelTexts(billingOf(), none).join(' ')
    expect(texts).toContain('until 12 July 2026')
    expect(texts).toContain('We won’t take another payment')
    expect(texts).toContain('ends with the month you’ve paid for')
    expect(texts).not.toContain('notice')
    const nextPlan = { ...lite, slug: 'lite' as const, from: '2026-07-12' }
    expect(cancelTexts(billingOf({ nextPlan }))).toContain('We’ll cancel your change to Alliance Lite.')
    const ownTier = { ...nextPlan, slug: billingOf().plan?.slug ?? '' }
    const byYear = cancelTexts(billingOf({ nextPlan: { ...ownTier, months: 12 } }))
    expect(byYear).toContain('We’ll cancel your change to paying by the year.')
    expect(cancelTexts(billingOf({ nextPlan: ownTier })).join(' ')).not.toContain('your change')
    expect(cancelTexts(billingOf({ isRevoked: true })).join(' ')).not.toContain('You keep your access')
    expect(cancelTexts(billingOf({ status: 'unpaid' }))[0]).toContain('ends straight away')
    const trial = billingOf({ status: 'trialing', firstPaymentOn: '2026-08-01' })
    expect(cancelTexts(trial, none).join(' ')).toContain(
      'ends on 1 August 2026, before its first payment. You won’t be charged.',
    )
  })

  test('what’s still taken at the end is said before cancelling and after, and nothing is promised until it’s known', () => {
    const book = { on: '2026-07-12', net: 4_000, vat: 800, total: 4_800, due: 4_800, fromCredit: 0 }
    const last = 'We’ll take one last payment of £48.00 on 12 July 2026.'
    for (const status of ['active', 'trialing', 'past_due'] as const) {
      expect(cancelTexts(billingOf({ status }), { nextPayment: book }).join(' ')).toContain(last)
      expect(cancelTexts(billingOf({ status })).join(' ')).not.toMatch(/charged|take a/)
    }
    const ending = billingOf({ endsOn: '2026-07-12', nextPayment: undefined })
    expect(cancelledText(ending)).toBe('You won’t be charged again. It ends on 12 July 2026.')
    expect(cancelledText({ ...ending, nextPayment: book })).toBe(
      'It ends on 12 July 2026. We’ll take one last payment of £48.00 that day.',
    )
  })

  test('a pause that is ended carries on only once its month is paid', () => {
    const openInvoice = { ...lite, id: 'in_1', created: '2026-06-01T09:00:00.000Z' }
    expect(resumedTexts(billingOf({ status: 'paused', openInvoice }))[1]).toBe(
      'Pay £150.00 and your membership starts up again.',
    )
    expect(resumedTexts(billingOf())[1]).toBe('You’re carrying on as before.')
  })

  test('an overdue invoice may still be taken after cancelling, and from another card', () => {
    const openInvoice = { ...lite, id: 'in_1', created: '2026-06-01T09:00:00.000Z' }
    const late = billingOf({ status: 'past_due', next_billing_date: null, openInvoice })
    const sum = 'the £150.00 (£125.00 + £25.00 VAT) you owe'
    expect(cancelTexts(late)[1]).toBe(`We may still collect ${sum} until then. After that we’ll write it off.`)
    expect(cardConsentText(late)).toBe(`Use this card from now on. We’ll try it next for ${sum}.`)
  })

  test('without a card on file it says so, and how and by when to give one', () => {
    expect(noMethodText(billingOf(), true)).toBe(
      'No card saved. Add one by 12 July 2026 so your next payment goes through.',
    )
    const ending = billingOf({ next_billing_date: null, nextPayment: undefined, endsOn: '2026-07-12' })
    expect(noMethodText(ending, true)).toBe('No card saved. Add one below.')
    expect(noMethodText(billingOf(), false)).toBe('No card saved.')
  })

  test('another card says what is taken from it next, and when', () => {
    expect(cardConsentText(billingOf())).toBe(
      'Use this card from now on. You won’t be charged today. We’ll take £540.00 (£450.00 + £90.00 VAT) on 12 July 2026.',
    )
    const nothing = 'Use this card from now on. You won’t be charged today.'
    expect(cardConsentText(billingOf({ nextPayment: undefined }))).toBe(nothing)
    const fromCredit = { ...nextPayment, fromCredit: 10_000, due: 44_000 }
    expect(cardConsentText(billingOf({ nextPayment: fromCredit }))).toBe(
      `${nothing} We’ll take £440.00 on 12 July 2026.`,
    )
  })

  test('with a free month waiting, a change, a resume and another card say that nothing is taken for it', () => {
    expect(tierChangeTexts(billingOf(), lite, freeMonth).slice(2, 4)).toEqual([
      { when: 'On 12 July 2026', what: 'Alliance Lite starts. The first month is free' },
      'You can undo this until then, and cancel anytime.',
    ])
    expect(resumeTexts(billingOf({ endsOn: '2026-07-12' }), freeMonth).slice(1)).toEqual([
      { when: 'On 12 July 2026', what: 'You pay nothing: that month is free' },
    ])
    expect(cardConsentText(billingOf({ nextPayment: freeMonth }))).toBe(
      'Use this card from now on. You won’t be charged today. The month from 12 July 2026 is free.',
    )
  })

  test('resuming says what is taken when, by what Stripe says of it; without its word nothing', () => {
    const ending = billingOf({ next_billing_date: null, nextPayment: undefined, endsOn: '2026-07-12' })
    expect(resumeTexts(ending, nextPayment).slice(1)).toEqual([
      { when: 'On 12 July 2026', what: 'We’ll take £540.00 (£450.00 + £90.00 VAT)' },
      { when: 'Every month after', what: 'The same, until you cancel' },
    ])
    expect(resumeTexts(ending, null)).toEqual(['Your membership carries on. You won’t be charged today.'])
    expect(resumeTexts(billingOf({ status: 'paused' }), { ...nextPayment, due: 27_000, total: 27_000 })).toEqual([
      'Your membership carries on.',
      { when: 'Now', what: expect.stringMatching(/^You pay £270\.00 .*, in the next step$/) },
    ])
    expect(resumeTexts(billingOf({ status: 'paused' }), null)[1]).toBe('You pay for a new month in the next step.')
  })

  test('an open invoice says how it came to be, and since when', () => {
    const openInvoice = { ...lite, id: 'in_1', created: '2026-06-01T09:00:00.000Z' }
    expect(openInvoiceText(billingOf({ status: 'past_due', openInvoice }))).toBe(
      'Your last payment didn’t go through. Due since 1 June 2026.',
    )
    expect(openInvoiceText(billingOf({ status: 'unpaid' }))).toContain('we won’t try your card again.')
    expect(openInvoiceText(billingOf({ openInvoice }))).toBe('Due since 1 June 2026.')
  })
})

describe('the payment method', () => {
  const card: PaymentMethod = { id: 'pm_1', type: 'card', brand: 'visa', last4: '4242', expMonth: 7, expYear: 2026 }

  test('is named by brand and last four digits, or by its name', () => {
    expect(methodLabel(card)).toBe('Visa ending 4242')
    expect(methodLabel({ ...card, brand: 'unknown' })).toBe('Card ending 4242')
    expect(methodLabel({ ...card, type: 'paypal', brand: null, last4: null })).toBe('PayPal')
  })

  test('expires at the end of its month, and says so two months before', () => {
    const at = (day: string) => expiryOf(card, new Date(`${day}T12:00:00`))
    expect(at('2026-05-31')).toEqual({ text: 'Expires 07/2026', state: 'valid' })
    expect(at('2026-06-01')).toEqual({ text: 'Expires soon, 07/2026', state: 'soon' })
    expect(at('2026-07-31')).toMatchObject({ state: 'soon' })
    expect(at('2026-08-01')).toEqual({ text: 'Expired 07/2026', state: 'expired' })
    expect(expiryOf({ ...card, expMonth: null, expYear: null }, new Date())).toBeNull()
  })
})

describe('invoices', () => {
  const invoice: Invoice = {
    id: 'inv_1',
    number: 'A-000004',
    status: 'paid',
    created: Date.UTC(2026, 5, 12, 9) / 1000,
    total: 30_000,
    hosted_invoice_url: 'https://alliance.example/api/billing/invoices/inv_1',
    invoice_pdf: 'https://alliance.example/api/billing/invoices/inv_1/pdf',
  }

  test('BILL-04 paid is green, open yellow, anything else red', () => {
    const tones = ['paid', 'open', 'void', 'uncollectible', 'draft', 'something_new'].map((status) =>
      statusBadge({ status }),
    )
    expect(tones.map(({ tone }) => tone)).toEqual(['ok', 'open', 'bad', 'bad', 'bad', 'bad'])
    expect(tones.map(({ label }) => label)).toEqual(['Paid', 'Open', 'Void', 'Not collected', 'Draft', 'Something new'])
  })

  test('INV-4 DATA-19 totals are pence, shown in pounds', () => {
    expect(documentRows([invoice])).toMatchObject([
      { name: 'Invoice A-000004', date: '12 June 2026', total: '£300.00', pdf: invoice.invoice_pdf },
    ])
    const totals = [0, 5, 30_001, 15_050, 129_900].map((total) => ({ ...invoice, total }))
    expect(documentRows(totals).map(({ total }) => total)).toEqual([
      ...['£0.00', '£0.05', '£300.01', '£150.50', '£1,299.00'],
    ])
    expect(documentRows([{ ...invoice, status: 'open', number: null, invoice_pdf: null }])).toMatchObject([
      { name: 'Invoice', note: 'Numbered when it’s paid', pdf: null },
    ])
  })

  test('INV-3 an invoice that puts another right names it', () => {
    const corrected = { ...invoice, replaces: 'A-000003' }
    expect(documentRows([corrected])).toMatchObject([{ note: 'Replaces A-000003' }])
    expect(documentRows([{ ...corrected, refunded: 1_000 }])).toMatchObject([
      { note: '£10.00 refunded. Replaces A-000003' },
    ])
    expect(documentRows([{ ...invoice, fromBefore: 1_500 }])).toMatchObject([
      { note: '£315.00 paid, £15.00 of it owed from before' },
    ])
    expect(documentRows([invoice])).toMatchObject([{ note: null }])
  })

  test('a credit note is listed below its invoice, as a negative amount', () => {
    const note = {
      id: 'cn_1',
      number: 'C-000001',
      kind: 'refund' as const,
      invoice: 'A-000004',
      created: invoice.created,
      total: 30_000,
      url: 'https://alliance.example/c',
      pdf: 'https://alliance.example/c/pdf',
    }
    expect(documentRows([{ ...invoice, refunded: 30_000, credit_notes: [note] }])).toMatchObject([
      { note: '£300.00 refunded', badge: { tone: 'ok' } },
      { name: 'Credit note C-000001', note: 'For invoice A-000004', total: '−£300.00', badge: { label: 'Refund' } },
    ])
  })
})
