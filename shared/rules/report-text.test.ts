import { expect, test } from 'vitest'
import type { Report } from '#shared/contract/report.ts'
import { reportLines, reportTitle } from './report-text.ts'

const none = { total: 0, rows: [] }
const nothing: Report = {
  kind: 'weekly',
  from: '2026-06-01',
  to: '2026-06-07',
  hasNews: false,
  mrr: { total: 100_000, subscriptions: 4 },
  movements: [],
  payments: { count: 0, gross: 0 },
  refunds: { count: 0, gross: 0 },
  failures: none,
  applications: none,
  contacts: none,
  calls: none,
  mail: { late: 0, refused: 0, failed: 0 },
  jobs: [],
  findings: [],
  month: null,
  commissionOwed: null,
}
const unpaid = {
  memberId: 'm',
  name: 'Danny',
  email: 'danny@example.com',
  phone: null,
  due: 30_000,
  nextAttemptAt: null,
  hasAccess: true,
  graceEndsOn: null,
  askedAt: null,
}
const said = (change: Partial<Report>) => reportLines({ ...nothing, ...change }).slice(1)

test('a report is named by its days', () => {
  const titles = (['daily', 'weekly', 'monthly'] as const).map((kind) => reportTitle({ ...nothing, kind }))
  expect(titles).toEqual(['Report of 1 June 2026', 'Report of the week to 7 June 2026', 'Report of June 2026'])
})

test('a report of nothing says the MRR, and no more', () => {
  expect(reportLines(nothing)).toEqual([['MRR now', '£1,000.00 from 4']])
})

test('what was paid, refunded and moved is about the days', () => {
  const change = {
    payments: { count: 2, gross: 60_000 },
    refunds: { count: 1, gross: 5_000 },
    movements: [
      { kind: 'new', name: 'Sam', change: 25_000 },
      { kind: 'contraction', name: 'Ann', change: -5_000 },
      { kind: 'expansion', name: 'Lee', change: 0 },
    ],
  } satisfies Partial<Report>
  expect(said(change)).toEqual([
    ['Payments that week', '2, £600.00 including VAT'],
    ['Refunds that week', '1, £50.00 including VAT'],
    ['Joined that week', 'Sam, +£250.00 a month'],
    ['Downgrades that week', 'Ann, −£50.00 a month'],
    ['Upgrades that week', 'Lee, £0.00 a month'],
  ])
})

test('what waits is listed, with a mark if there is more, and how long an unpaid member has access', () => {
  const rows = [{ id: 'a', text: 'Sam' }]
  const failures = {
    total: 3,
    rows: [unpaid, { ...unpaid, graceEndsOn: '2026-06-12' }, { ...unpaid, name: 'Ann', hasAccess: false }],
  }
  expect(said({ failures, contacts: { total: 1, rows }, calls: { total: 2, rows } })).toEqual([
    [
      'Payment due now',
      '3: Danny (danny@example.com) £300.00; Danny (danny@example.com) £300.00, access until 12 June 2026; Ann (danny@example.com) £300.00, no access',
    ],
    ['Messages to answer now', '1: Sam'],
    ['Calls to come', '2: Sam …'],
  ])
})

test('trouble is named only where there is some', () => {
  expect(said({ mail: { late: 1, refused: 0, failed: 0 } })).toEqual([
    ['Email now', '1 not sent for more than an hour'],
  ])
  expect(
    said({
      mail: { late: 0, refused: 2, failed: 1 },
      jobs: [{ name: 'backup', problem: 'late', at: null }],
      findings: [{ check: 'disk', state: 'failed', message: 'It’s full.' }],
    }),
  ).toEqual([
    ['Email now', '2 refused, 1 given up'],
    ['Jobs', 'backup late'],
    ['Doctor, disk', 'It’s full.'],
  ])
})

test('a month’s report has its MRR, invoices and VAT, and what the sales partner is owed', () => {
  const amounts = { net: 50_000, vat: 10_000, gross: 60_000 }
  const month: Report['month'] = {
    month: '2026-05',
    isFrozen: true,
    frozenAt: null,
    opening: 90_000,
    closing: 100_000,
    movements: { new: 0, expansion: 0, contraction: 0, churn_voluntary: 0, churn_failed_payment: 0, reactivation: 0 },
    payingCustomers: 4,
    openingCustomers: 4,
    lostCustomers: 0,
    trialsEnded: 0,
    trialsConverted: 0,
    tiers: [],
    vat: { invoiced: amounts, credited: amounts, late: amounts, total: { ...amounts, vat: 9_000 } },
  }
  const figures = [
    ['MRR at the start', '£900.00'],
    ['MRR at the end', '£1,000.00'],
    ['Invoiced that month', '£500.00 and £100.00 VAT'],
    ['VAT of that month', '£90.00'],
  ]
  expect(said({ kind: 'monthly', month })).toEqual(figures)
  expect(said({ kind: 'monthly', month, commissionOwed: 0 })).toEqual([
    ...figures,
    ['Owed to the sales partner at the end', '£0.00'],
  ])
})
