import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import { runsPlanned, shows } from '#api/features/operations/doctor/check-rules.ts'
import { checksOutput } from '#cli/commands/doctor.ts'
import { memberOutput, membersTable } from '#cli/commands/members/list.ts'
import { mrrOutput } from '#cli/commands/mrr/mrr.ts'
import { clockOutput } from '#cli/commands/sandbox.ts'
import { type Output, tableOutput } from '#cli/output.ts'
import type { AdminMember, AdminMemberDetail } from '#shared/contract/members.ts'
import type { Mrr } from '#shared/contract/revenue.ts'

const drawn = async (output: Output, width: number) =>
  stripVTControlCharacters((await output.terminal?.(width)) ?? '').split('\n')

const member: AdminMember = {
  id: '019a0000-0000-7000-8000-000000000000',
  firstName: 'Bartholomew',
  lastName: 'Featherstonehaugh-Cholmondeley',
  email: 'bartholomew.featherstonehaugh@long-name-plumbing.example',
  membershipTier: 'standard',
  tierName: 'Alliance',
  isAdmin: false,
  isMember: true,
  status: 'past_due',
  subscriptionGivesAccess: true,
  label: 'No Active Subscription',
  stateLine: 'Payment due: £300.00. You keep your access until 26 June 2026.',
  isComplimentary: false,
  isRevoked: false,
  freeEndedOn: null,
  nextBillingOn: null,
  pause: null,
  isEmailProven: true,
  hasPassword: true,
  phone: null,
  trade: 'Plumber',
  videosCompleted: 12,
  lastProgressAt: '2026-06-12T07:40:00.000Z',
  lastSeenAt: null,
  membershipStartDate: '2026-01-02T09:00:00.000Z',
  mailRefused: null,
  createdAt: '2026-01-02T09:00:00.000Z',
}

test('the list gives way at 80 columns without cutting an address, and shows all where there is room', async () => {
  const narrow = await drawn(tableOutput(membersTable, [member]), 80)
  expect(narrow[0]).toBe('▌ MEMBERS')
  expect(narrow[1]?.split(/ {2,}/)).toEqual(['EMAIL', 'MEMBERSHIP'])
  expect(narrow[2]).toMatch(/^━+$/)
  expect(narrow[3]).toMatch(/^bartholomew\.featherstonehaugh@long-name-plumbing\.example {2}Payment due$/)
  expect(narrow.slice(4).join(' ')).toContain('Hidden: NAME, TIER, ACCESS, VIDEOS, LAST PROGRESS, JOINED.')
  const usual = await drawn(tableOutput(membersTable, [{ ...member, email: 'bart@featherstone.example' }]), 80)
  expect(usual[3]).toMatch(/^Bartholomew.* {2}bart@featherstone\.example {2}Payment due/)
  const wide = await drawn(tableOutput(membersTable, [member]), 240)
  expect(wide[3]).toMatch(/ {2}Payment due {2}/)
  expect(wide[3]).toContain('12 June 2026, 08:40  2 January 2026')
})

test('an empty list says so', async () => {
  expect(await drawn(tableOutput(membersTable, []), 80)).toEqual(['▌ MEMBERS', 'No members found.'])
})

test('what’s known of a member fits the terminal, without what someone typed to drive it', async () => {
  const detail: AdminMemberDetail = {
    ...member,
    membershipType: 'standard',
    phone: '07700\u001b[2J 900123',
    businessName: null,
    trade: 'Plumber',
    photo: null,
    nextBillingOn: '2026-07-12',
    videosAvailable: 24,
    hasPassword: true,
    isEmailProven: true,
    stateLine: 'Payment due: £300.00. You keep your access until 26 June 2026.',
  }
  const lines = await drawn(memberOutput(detail), 60)
  expect(lines).toContain('Phone          07700 900123')
  expect(lines).toContain('Next billing   12 July 2026')
  expect(lines).toContain('Videos         12 of 24 completed')
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(60)
})

test('MRR-1 ENT-19 revenue is shown with the forecast by tier, and the note that it is a forecast', async () => {
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
      {
        subscriptionId: 'sub_1',
        memberId: null,
        customerName: 'Sam Field',
        status: 'active',
        monthlyAmount: 12_500,
        yearlyAmount: 150_000,
        rule: 'plural',
      },
    ],
    target: { customers: 3, goal: 100 },
  }
  const lines = await drawn(mrrOutput(mrr), 80)
  expect(lines).toContain('Monthly recurring revenue      £825.00 excluding VAT')
  expect(lines).toContain('Commission forecast, Pat Reed  £82.50')
  expect(lines).toContain('Target                         3 of 100 paying customers, excluding owners')
  expect(lines).toContain('Alliance XL          2   10%      £70.00')
  expect(lines.join(' ')).toContain('The commission is a forecast')
  expect(lines).toContain('Sam Field  Active  £125.00  plural  sub_1')
})

test('the doctor marks every check in words, and sums up', async () => {
  const output = checksOutput([
    { name: 'integrity', state: 'ok', message: 'The database is undamaged.', remedy: null },
    { name: 'backup', state: 'ok', message: 'None is scheduled.', remedy: null, isUnset: true },
    { name: 'mail', state: 'warning', message: '1 email refused.', remedy: shows('mail list --status refused') },
    { name: 'migrations', state: 'failed', message: '1 migration not applied.', remedy: runsPlanned('migrate') },
  ])
  expect(await drawn(output, 80)).toEqual([
    '▌ DOCTOR',
    '✓ ok       integrity   The database is undamaged.',
    '– none     backup      None is scheduled.',
    '! warning  mail        1 email refused. See: alliance mail list --status refused',
    '✗ failed   migrations  1 migration not applied. See: alliance migrate',
    '1 check failed, 1 warning.',
  ])
})

test('the doctor cuts a long message, but never the command that fixes it', async () => {
  const message = `1 email was refused: ${'someone@alliance.test, '.repeat(9)}and that is all.`
  const check = { name: 'mail', state: 'warning' as const, message, remedy: shows('mail list --status refused') }
  const line = checksOutput([check]).text().split('\n')[1] ?? ''
  expect(line).toMatch(/^warning +mail +1 email was refused: someone.*… See: alliance mail list --status refused$/)
  expect(line.length).toBeLessThanOrEqual(160)
  expect(checksOutput([check], true).text()).toContain(`${message} See: alliance mail list --status refused\n`)
})

test.each([
  [86_400_000, '1 day'],
  [2 * 86_400_000 + 5 * 60_000, '2 days 5 min'],
  [0, '0 min'],
])('%d ms ahead is %s', async (offsetMs, words) => {
  expect(await drawn(clockOutput({ billingNow: '2026-06-12T07:40:00.000Z', offsetMs }), 80)).toContain(
    `Ahead by       ${words}`,
  )
})
