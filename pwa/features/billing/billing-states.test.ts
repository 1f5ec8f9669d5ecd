import '#pwa/testing/window.ts'
import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { MemberOptions } from '#api/testing/people.ts'
import { payingSite } from '#pwa/features/payment/testing/paying.ts'

const site = payingSite()

const inactive = 'No Active Subscription'
const states: [state: string, member: MemberOptions, label: string, leadsBack: boolean][] = [
  [
    'canceled',
    { membershipStartDate: '2024-03-09T12:00:00.000Z', subscription: { status: 'canceled' } },
    inactive,
    true,
  ],
  ['paused', { subscription: { status: 'paused' } }, inactive, true],
  [
    'trialing with a card',
    { subscription: { status: 'trialing', trialEnd: '2099-07-12T08:00:00.000Z' } },
    'Set up – first payment on 12 July 2099',
    false,
  ],
  ['active', {}, 'Active', false],
]

test.each(states)(
  'BILL-03 BILL-05 %s: Billing says so, and leads to reactivating where that is what helps',
  async (...row) => {
    const [, member, label, leadsBack] = row
    site.browser.signIn(site.world.addMember(member))
    await site.browser.open('/members?tab=billing')
    await screen.findByRole('heading', { name: 'Billing address' })
    const main = within(screen.getByRole('main'))
    expect(main.getAllByText(label, { exact: true }).length).toBeGreaterThan(0)
    const links = main.queryAllByRole('link').map((link) => link.getAttribute('href'))
    expect(links.some((href) => href?.startsWith('/reactivate'))).toBe(leadsBack)
  },
)
