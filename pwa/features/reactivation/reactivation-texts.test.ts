import { expect, test } from 'vitest'
import { agreedText, firstPaymentText, savedToast } from './reactivation-texts.ts'

const today = '2026-11-20'

test('DELY-7 DELY-11 the banner says one month and the date: to come, today, and past', () => {
  expect(firstPaymentText('2026-12-05', today)).toBe(
    'Your first payment is delayed until one month after your last payment: 5 December 2026. You won’t be charged before then.',
  )
  expect(firstPaymentText(today, today)).toBe('Your first payment is due today, 20 November 2026.')
  expect(firstPaymentText('2026-11-04', today)).toBe(
    'Your first payment was due on 4 November 2026, one month after your last. We’ll take it today.',
  )
})

test('what is agreed to names each sum and its day', () => {
  const agreed = { date: '2026-12-05', total: 30_000, every: 'month' as const }
  expect(agreedText({ ...agreed, isDue: false })).toBe(
    'Take £300.00 on 5 December 2026, and £300.00 a month from then until I cancel.',
  )
  expect(agreedText({ ...agreed, isDue: true })).toBe('Take £300.00 today and £300.00 a month until I cancel.')
})

test('EMSG-41 a saved payment method is shown with the date on which billing starts', () => {
  const saved = { date: '2026-12-05', total: 30_000, every: 'month' as const, isDue: false }
  expect(savedToast(saved)).toMatchObject({
    title: 'Payment Method Saved!',
    description: 'Billing will start on 5 December 2026.',
  })
})
