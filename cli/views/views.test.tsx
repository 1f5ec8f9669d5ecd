import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { clockReport } from '#cli/reports/clock.ts'
import { doctorReport } from '#cli/reports/doctor.ts'
import { memberReport } from '#cli/reports/member.ts'
import { membersReport } from '#cli/reports/members.ts'
import { mrrReport } from '#cli/reports/mrr.ts'
import type { AdminMember, AdminMemberDetail, Mrr } from '#shared/contract/admin.ts'

const drawn = async (report: { view?(columns: number): Promise<string> }, columns: number) =>
  stripVTControlCharacters((await report.view?.(columns)) ?? '').split('\n')

const member: AdminMember = {
  id: '019a0000-0000-7000-8000-000000000000',
  firstName: 'Bartholomew',
  lastName: 'Featherstonehaugh-Cholmondeley',
  email: 'bartholomew.featherstonehaugh@long-name-plumbing.example',
  membershipTier: 'standard',
  isAdmin: false,
  isMember: true,
  status: 'past_due',
  label: 'No Active Subscription',
  isComplimentary: false,
  videosCompleted: 12,
  lastProgressAt: '2026-06-12T07:40:00.000Z',
  mailRefused: null,
  createdAt: '2026-01-02T09:00:00.000Z',
}

test('the list fits 80 columns by cutting names and leaving out the least, and shows all at 160', async () => {
  const narrow = await drawn(membersReport([member]), 80)
  expect(narrow[0]).toBe('▌ MEMBERS')
  expect(narrow[1]?.split(/ {2,}/)).toEqual(['NAME', 'E-MAIL', 'TIER', 'STATUS', 'VIDEOS'])
  expect(narrow[2]).toBe('━'.repeat(80))
  expect(narrow[3]).toMatch(/^Bartholomew Fe.*… {2}bartholomew\..*… {2}Standard {2}No Active Subscription +12$/)
  expect(narrow.slice(4)).toEqual(['No room for ACCESS, LAST PROGRESS, JOINED: see --csv or --json.'])
  const wide = await drawn(membersReport([member]), 160)
  expect(wide[3]).toContain('12 June 2026, 08:40  2 January 2026')
})

test('nobody is said in words', async () => {
  expect(await drawn(membersReport([]), 80)).toEqual(['▌ MEMBERS', 'Nobody found.'])
})

test('a member shows his ticks on the tape', async () => {
  const detail: AdminMemberDetail = {
    ...member,
    membershipType: 'standard',
    phone: '07700\u001b[2J 900123',
    businessName: null,
    trade: 'Plumber',
    nextBillingOn: '2026-07-12',
    videosAvailable: 24,
    hasPassword: true,
  }
  const lines = await drawn(memberReport(detail), 60)
  expect(lines).toContain('Phone            07700 900123')
  expect(lines).toContain('Next billing     12 July 2026')
  expect(lines.at(-1)).toBe(`${'█'.repeat(20)}${'░'.repeat(20)} 12 of 24`)
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(60)
})

test('MRR-1 ENT-19 revenue stands beside the forecast by tier, and the note that it is one', async () => {
  const mrr: Mrr = {
    totalMRR: 82_500,
    activeSubscriptions: 3,
    lastUpdated: '2026-06-12T07:40:00.000Z',
    commission: {
      partner: 'Pat Reed',
      isForecast: true,
      total: 8250,
      breakdown: [
        { name: 'Alliance Lite', count: 1, rate: 10, total: 1250 },
        { name: 'Alliance XL', count: 2, rate: 10, total: 7000 },
      ],
    },
    subscriptionDetails: [
      { subscriptionId: 'sub_1', customerName: 'Sam Field', status: 'active', monthlyAmount: 12_500, rule: 'counted' },
    ],
    target: { customers: 3, goal: 100 },
  }
  const lines = await drawn(mrrReport(mrr), 80)
  expect(lines).toContain('Monthly recurring revenue      £825.00 excluding VAT')
  expect(lines).toContain('Commission forecast, Pat Reed  £82.50')
  expect(lines).toContain('Target                         3 of 100 paying customers, owners left out')
  expect(lines).toContain('Alliance XL          2  10 %      £70.00')
  expect(lines.join(' ')).toContain('The commission is a forecast')
  expect(lines).toContain('Sam Field  Active  £125.00  counted  sub_1')
})

test('the doctor marks every line with a word, and sums up', async () => {
  const report = doctorReport([
    { name: 'integrity', state: 'ok', says: 'The database is whole.' },
    { name: 'mail', state: 'warning', says: '1 mail refused.' },
    { name: 'migrations', state: 'failed', says: '1 migration not applied.' },
  ])
  expect(await drawn(report, 80)).toEqual([
    '▌ DOCTOR',
    '✓ ok       integrity   The database is whole.',
    '! warning  mail        1 mail refused.',
    '✗ failed   migrations  1 migration not applied.',
    '1 check failed, 1 warning.',
  ])
})

test.each([
  [86_400_000, '1 day'],
  [2 * 86_400_000 + 5 * 60_000, '2 days 5 min'],
  [0, 'not at all'],
])('%d ms ahead is %s', async (offsetMs, words) => {
  expect(await drawn(clockReport({ billingNow: '2026-06-12T07:40:00.000Z', offsetMs }), 80)).toContain(
    `Ahead of today  ${words}`,
  )
})
