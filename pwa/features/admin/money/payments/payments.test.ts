import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { addClawback, addPaidMonth } from '#api/testing/commission.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { MemberPaymentsList } from '#shared/contract/commission.ts'
import { commissionDueOn } from '#shared/rules/commission.ts'
import { addDays, formatLongDate, londonDay } from '#shared/rules/london.ts'
import { typedDayText } from '#shared/rules/typed-day.ts'

let world: World
let browser: Browser
let owner: Call
let today: string
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  const olive = world.addOwner()
  browser.signIn(olive)
  owner = world.signIn(olive)
  today = londonDay(world.ctx.billingNow())
})
afterEach(() => browser.close())

const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
const box = async (name: RegExp) => {
  const found = await screen.findByRole('checkbox', { name })
  if (!(found instanceof HTMLInputElement)) throw new Error('no checkbox')
  return found
}
const type = async (label: string, value: string) =>
  fireEvent.input(await screen.findByLabelText(label), { target: { value } })
const confirmWith = (answer: boolean) => vi.spyOn(window, 'confirm').mockReturnValue(answer)
const sent = (path: RegExp) => browser.network.sent.filter((request) => path.test(request.path)).length

describe('members’ months', () => {
  let priya: TestPerson
  let due: string
  beforeEach(() => {
    priya = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    due = addDays(today, -20)
    addPaidMonth(world, priya, due)
  })

  test('ADMN-14 ADMN-15 MRR-6 CALLS-14 CALLS-15 pounds without VAT, the months, and the summary of all', async () => {
    await browser.open('/admin/payments')
    const words = (await row('Priya Shah')).textContent
    expect(words).toContain('£250.00')
    expect(words).toContain('commission £25.00')
    expect(words).toContain(`due since ${formatLongDate(commissionDueOn(due))}`)
    screen.getByText('You owe Sales partner £25.00.')
    const heads = ['Total outstanding', 'Total commission paid', 'Total members', 'Members paid', 'Members unpaid']
    const figures = heads.map((head) => screen.getByText(head).parentElement?.textContent?.replace(head, ''))
    expect(figures).toEqual(['£25.00', '£0.00', '1', '0', '1'])
  })

  test('ADMN-14 each member has the latest month in sight, and the older ones folded', async () => {
    addPaidMonth(world, priya, addDays(due, -62))
    addPaidMonth(world, priya, addDays(due, -31))
    await browser.open('/admin/payments')
    const months = [...(await row('Priya Shah')).querySelectorAll('.month')]
    expect(months.map((month) => month.closest('details')?.textContent?.slice(0, 14))).toEqual([
      undefined,
      '2 older months',
      '2 older months',
    ])
  })

  test('fifteen rows at once on a phone', { tags: ['full'] }, async () => {
    const { matchMedia } = window
    window.matchMedia = (media) => Object.assign(matchMedia(media), { matches: media.startsWith('(max-width:') })
    for (let count = 0; count < 15; count += 1) addPaidMonth(world, world.addMember(), due)
    await browser.open('/admin/payments')
    await screen.findByText('15 of 16')
    await press('Show more')
    await screen.findByText('16 of 16')
  })

  test('ADMN-15 a month of all chosen members is marked at once; who could not be done stays chosen, with the reason', {
    tags: ['full'],
  }, async () => {
    const noah = world.addMember({ firstName: 'Noah', lastName: 'Reid' })
    addPaidMonth(world, noah, due)
    await browser.open('/admin/payments?show=unpaid')
    fireEvent.click(await screen.findByLabelText('Choose all shown'))
    await screen.findByText('2 selected')
    browser.setDelivery(`/api/admin/commission-status/${noah.id}`, { status: 500, body: {} })
    fireEvent.click(screen.getByText('Mark 2 paid'))
    await screen.findByText('1 didn’t work. It’s still selected.')
    await screen.findByText('1 selected')
    expect(screen.getByLabelText<HTMLInputElement>('Choose Noah Reid').checked).toBe(true)
    browser.setDelivery(`/api/admin/commission-status/${noah.id}`, 'deliver')
    fireEvent.click(screen.getByText('Mark 1 paid'))
    await screen.findByText('Nothing fits this filter')
  })

  test('MRR-2 CALLS-36 EMSG-25 a month is marked as paid and as unpaid again; a failure says so', {
    tags: ['full'],
  }, async () => {
    await browser.open('/admin/payments')
    fireEvent.click(await box(/^Commission paid for Priya Shah/))
    await screen.findByText('Commission marked as paid')
    const path = `/api/admin/commission-status/${priya.id}`
    browser.setDelivery(path, { status: 500, body: {} })
    fireEvent.click(await box(/^Commission paid for Priya Shah/))
    await screen.findByText('Failed to update commission status')
    browser.setDelivery(path, 'deliver')
    fireEvent.click(await box(/^Commission paid for Priya Shah/))
    await screen.findByText('Commission marked as unpaid')
    expect((await box(/^Commission paid for Priya Shah/)).checked).toBe(false)
  })

  test('CALLS-36 a month whose guarantee runs is locked, says why and until when, and sends nothing', async () => {
    addPaidMonth(world, world.addMember({ firstName: 'Newton', lastName: 'Early' }), today)
    await browser.open('/admin/payments')
    const locked = await box(/^Commission paid for Newton Early/)
    await within(await row('Newton Early')).findByText(/^Locked until .*, the day after the 14-day guarantee\.$/)
    fireEvent.click(locked)
    expect(locked.checked).toBe(false)
    expect(sent(/commission-status/)).toBe(0)
  })

  test('MRR-3 MRR-4 CALLS-37 EMSG-27 deleting a month asks first; a failure says so', async () => {
    await browser.open('/admin/payments')
    const ask = confirmWith(false)
    await press(/^More for Priya Shah/)
    await press(/^Delete commission: Priya Shah/)
    expect([ask.mock.calls.length, sent(/commission-payments/)]).toEqual([1, 0])
    ask.mockReturnValue(true)
    const [member] = v.parse(MemberPaymentsList, await (await owner('/api/admin/member-payments')).json())
    const path = `/api/admin/commission-payments/${member?.monthlyPayments[0]?.id}`
    browser.setDelivery(path, { status: 500, body: {} })
    await press(/^More for Priya Shah/)
    await press(/^Delete commission: Priya Shah/)
    await screen.findByText('Failed to delete commission payment')
    browser.setDelivery(path, 'deliver')
    await press(/^More for Priya Shah/)
    await press(/^Delete commission: Priya Shah/)
    await screen.findByText('Commission payment deleted')
    await waitFor(() => expect(screen.queryByRole('button', { name: /^Delete commission: Priya/ })).toBeNull())
  })

  test('MRR-2 a month that a refund took back says what the partner owes back, or that nothing is to be paid', async () => {
    const noah = world.addMember({ firstName: 'Noah', lastName: 'Reid' })
    addPaidMonth(world, noah, due)
    const body = { commissionPaid: true, commissionMonth: due.slice(0, 7) }
    expect((await owner(`/api/admin/commission-status/${noah.id}`, { method: 'PATCH', body })).status).toBe(200)
    for (const person of [noah, priya]) addClawback(world, person)
    await browser.open('/admin/payments')
    await within(await row('Noah Reid')).findByText('−£25.00 owed back')
    await within(await row('Priya Shah')).findByText('−£25.00 clawed back: nothing to pay.')
    fireEvent.click(await box(/^Commission paid for Priya Shah/))
    fireEvent.click(await box(/^Commission paid for Noah Reid/))
    await screen.findByText('Commission marked as paid')
    expect(sent(/commission-status/)).toBe(1)
    const unpaid = await owner('/api/admin/member-payments?show=unpaid')
    expect(await unpaid.json()).toEqual([])
  })

  test('CALLS-14 members are searched; the address keeps the words', async () => {
    addPaidMonth(world, world.addMember({ firstName: 'Kelly', lastName: 'Byrne' }), due)
    const page = await browser.open('/admin/payments?q=byrne')
    await row('Kelly Byrne')
    expect(screen.queryByRole('row', { name: /Priya/ })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /^Name/ }))
    await waitFor(() => expect(page.address()).toBe('/admin/payments?q=byrne&sort=name'))
  })
})

describe('up-sells', () => {
  const sale = { description: 'Website for Marsh', totalAmount: 499.99, commissionAmount: 50.1 }
  const addSale = () => owner('/api/admin/manual-commissions', { body: { ...sale, saleDate: today } })

  test('ADMN-16 MRR-5 CALLS-16 CALLS-33 EMSG-24 added by the form; what was typed survives a failure, and a closed dialog', async () => {
    await browser.open('/admin/payments')
    await press('Add up-sell')
    const date = await screen.findByLabelText('Sale date *')
    expect(date).toMatchObject({ value: typedDayText(londonDay(new Date())) })
    const total = screen.getByLabelText('Total amount (£) *')
    expect([total.getAttribute('step'), total.getAttribute('min')]).toEqual(['0.01', '0.01'])
    await type('Description *', sale.description)
    await type('Total amount (£) *', '499.99')
    await type('Commission amount (£) *', '50.10')
    await type('Sale date *', today)
    browser.setDelivery('/api/admin/manual-commissions', { status: 500, body: {} })
    const dialog = screen.getByRole('dialog')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Add up-sell' }))
    await screen.findByText('Failed to create manual commission')
    browser.setDelivery('/api/admin/manual-commissions', 'deliver')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Not now' }))
    await press('Add up-sell')
    expect(await screen.findByLabelText('Total amount (£) *')).toMatchObject({ value: '499.99' })
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add up-sell' }))
    expect((await row('Website for Marsh')).textContent).toContain('£499.99£50.10')
  })

  test('EMSG-54 EMSG-55 EMSG-56 EMSG-57 an empty form says what is missing, and sends nothing', async () => {
    await browser.open('/admin/payments')
    await press('Add up-sell')
    await type('Sale date *', '')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add up-sell' }))
    for (const sentence of [
      'Description is required',
      'Total amount must be greater than 0',
      'Commission amount must be greater than 0',
      'Sale date is required',
    ])
      await screen.findByText(sentence)
    expect(browser.network.sent.filter(({ path, body }) => path.startsWith('/api/admin') && body !== null)).toEqual([])
  })

  test('MRR-2 MRR-4 CALLS-34 CALLS-35 EMSG-25 EMSG-26 paid, unpaid, and deleted once confirmed', async () => {
    const path = `/api/admin/manual-commissions/${Object(await (await addSale()).json()).id}`
    await browser.open('/admin/payments')
    browser.setDelivery(path, { status: 500, body: {} })
    fireEvent.click(await box(/^Commission paid for Website for Marsh/))
    await screen.findByText('Failed to update commission status')
    browser.setDelivery(path, 'deliver')
    fireEvent.click(await box(/^Commission paid for Website for Marsh/))
    await screen.findByText('Commission marked as paid')
    await box(/^Commission paid for Website for Marsh/)
    const before = sent(/manual-commissions\/./)
    const ask = confirmWith(false)
    const pressDelete = async () => {
      await press('More for Website for Marsh')
      await press('Delete commission: Website for Marsh')
    }
    await pressDelete()
    expect([ask.mock.calls.length, sent(/manual-commissions\/./)]).toEqual([1, before])
    expect(ask).toHaveBeenCalledWith(expect.stringContaining('it’s owed back'))
    ask.mockReturnValue(true)
    browser.setDelivery(path, { status: 500, body: {} })
    fireEvent.click(await box(/^Commission paid for Website for Marsh/))
    await screen.findByText('Failed to update commission status')
    await pressDelete()
    await screen.findByText('Failed to delete commission')
    expect(screen.getAllByRole('alert')).toHaveLength(1)
    browser.setDelivery(path, 'deliver')
    await pressDelete()
    await screen.findByText('No up-sells yet')
  })

  test('where the row with the focus has gone, the next one has it', { tags: ['full'] }, async () => {
    for (const [at, description] of ['Third', 'Second', 'First'].entries()) {
      const sale = { description, totalAmount: 100, commissionAmount: 10, saleDate: `2026-06-0${at + 1}` }
      await world.signIn(world.addOwner())('/api/admin/manual-commissions', { body: sale })
    }
    vi.spyOn(window, 'confirm').mockReturnValue(true)
    await browser.open('/admin/payments')
    for (const [gone, next] of [
      ['Second', 'Third'],
      ['Third', 'First'],
    ] as const) {
      const more = await screen.findByLabelText(`More for ${gone}`)
      more.focus()
      fireEvent.click(more)
      fireEvent.click(await screen.findByLabelText(`Delete commission: ${gone}`))
      const row = () => screen.getByLabelText(`More for ${next}`).closest('tr')
      await waitFor(() => expect(document.activeElement).toBe(row()))
    }
  })
})
