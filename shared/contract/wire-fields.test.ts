import * as v from 'valibot'
import { expect, test } from 'vitest'
import { BillingSubscription, Invoice } from './billing.ts'
import { CommissionHistory, CommissionPayment, InactiveMember, ManualCommission, MemberPayments } from './commission.ts'
import { Month, Pounds } from './fields.ts'
import { Health } from './health.ts'
import {
  ApplicationRecord,
  BookingRecord,
  CoachingApplicationRecord,
  ContactRecord,
  SimpleApplicationRecord,
  ViewAsMember,
  ViewAsVideo,
  ViewedMember,
} from './inbox-entries.ts'
import { FixInvoicesResult } from './invoices.ts'
import { VideoProgress } from './progress.ts'
import { Mrr } from './revenue.ts'

const keysOf = ({ entries }: { entries: object }) => Object.keys(entries).join(' ')

test('ENT-4 an application in the owners’ list', () => {
  expect(keysOf(ApplicationRecord)).toBe(
    'id firstName lastName email phone businessName trade businessStage yearsInTrade currentChallenges goals status createdAt',
  )
})

test('ENT-6 ENT-8 a member to view as', () => {
  expect(keysOf(ViewAsMember)).toBe('id firstName lastName email membershipTier')
})

test('ENT-7 ENT-8 a member who is viewed', () => {
  expect(keysOf(ViewedMember)).toBe('firstName lastName email membershipType createdAt')
})

test('ENT-9 a video in the view-as list', () => {
  expect(keysOf(ViewAsVideo)).toBe('id title description category orderIndex')
})

test('ENT-10 a coaching application of the simple dashboard, with the id that its status is set by', () => {
  expect(keysOf(CoachingApplicationRecord)).toBe(
    'id name email phone trade businessName yearsInBusiness currentRevenue status createdAt',
  )
})

test('ENT-11 ENT-12 a membership application of the simple dashboard, with its id', () => {
  expect(keysOf(SimpleApplicationRecord)).toBe(
    'id name email phone trade businessStage membershipType status createdAt',
  )
})

test('ENT-13 a message of the simple dashboard, with its id; the trade may be missing', () => {
  expect(keysOf(ContactRecord)).toBe('id name email trade message createdAt')
  expect(v.is(ContactRecord.entries.trade, null)).toBe(true)
})

test('ENT-14 a booking of the simple dashboard, with its id', () => {
  expect(keysOf(BookingRecord)).toBe('id name email trade bookingDate timeZone duration status')
})

test('ENT-15 an up-sell, in pounds', () => {
  expect(keysOf(ManualCommission)).toBe('id description totalAmount commissionAmount saleDate commissionPaid')
  expect(ManualCommission.entries.totalAmount).toBe(Pounds)
})

test('ENT-16 a month’s commission, in pence, and beside what is specified what refunds took back', () => {
  expect(keysOf(CommissionPayment)).toBe(
    'id paymentMonth paymentDate membershipAmount commissionAmount commissionPaid commissionPaidDate clawback',
  )
  expect(v.is(CommissionPayment.entries.membershipAmount, 12.5)).toBe(false)
})

test('ENT-17 a member’s payments, their own amounts in pounds', () => {
  expect(keysOf(MemberPayments)).toBe(
    'id firstName lastName email tierName monthlyAmount commissionAmount monthlyPayments',
  )
  expect([MemberPayments.entries.monthlyAmount, MemberPayments.entries.commissionAmount]).toEqual([Pounds, Pounds])
})

test('ENT-18 the summary of commissions', () => {
  expect(keysOf(CommissionHistory)).toBe(
    'totalMembers totalCommissionPaid totalCommissionOutstanding membersPaid membersUnpaid',
  )
})

test('ENT-19 monthly recurring revenue: what is specified, and beside it the partner, the forecast, the rule and the target', () => {
  expect(keysOf(Mrr)).toBe('totalMRR activeSubscriptions lastUpdated commission subscriptionDetails target')
  expect(keysOf(Mrr.entries.commission)).toBe('partner isForecast total breakdown')
  expect(keysOf(Mrr.entries.commission.entries.breakdown.item)).toBe('name count rate total')
  expect(keysOf(Mrr.entries.subscriptionDetails.item)).toBe(
    'subscriptionId memberId customerName status monthlyAmount yearlyAmount rule',
  )
})

test('ENT-20 somebody who is no member now', () => {
  expect(keysOf(InactiveMember)).toBe('id firstName lastName email commissionPayments')
  expect(keysOf(InactiveMember.entries.commissionPayments.item)).toBe(
    'paymentMonth membershipAmount commissionAmount commissionPaid clawback',
  )
})

test('ENT-21 what came of mending an invoice', () => {
  expect(FixInvoicesResult.entries.status.options).toEqual([
    'vat_invoice_created',
    'error',
    'customer_not_found',
    'customer_deleted',
  ])
})

test('ENT-23 how the server is', () => {
  expect([keysOf(Health), keysOf(Health.entries.services)]).toEqual([
    'status timestamp services',
    'database payments email jobs reports backups logins',
  ])
})

test('DATA-17 ENT-3 progress as a client sees it', () => {
  expect(keysOf(VideoProgress)).toBe('videoId completed completedAt')
})

test('DATA-18 the billing view begins with its two fields', () => {
  expect(keysOf(BillingSubscription)).toMatch(/^status next_billing_date /)
})

test('DATA-19 an invoice begins with its seven fields', () => {
  expect(keysOf(Invoice)).toMatch(/^id number status created total hosted_invoice_url invoice_pdf /)
})

test('pounds have two decimals at most and are never negative', () => {
  for (const good of [0, 0.01, 0.1, 12.5, 1234.56, 19.99, 0.29, 4.35, 1_000_000.01])
    expect(v.is(Pounds, good)).toBe(true)
  for (const bad of [-0.01, 0.001, 12.345, Number.NaN, Number.POSITIVE_INFINITY, '12']) {
    expect([bad, v.is(Pounds, bad)]).toEqual([bad, false])
  }
})

test('a month is YYYY-MM', () => {
  for (const good of ['2026-01', '2026-12']) expect(v.is(Month, good)).toBe(true)
  for (const bad of ['2026-00', '2026-13', '2026-1', '2026-01-01', '26-01', '']) expect(v.is(Month, bad)).toBe(false)
})
