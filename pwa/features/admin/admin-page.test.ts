import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { addPaidMonth } from '#api/testing/commission.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { adminPlaces, findTab } from '#pwa/features/admin/frame/places.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})
afterEach(() => browser.close())

const adminCalls = () => browser.network.sent.filter(({ path }) => path.startsWith('/api/admin/'))
const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })

describe('the door', () => {
  for (const [who, signIn, why] of [
    ['a visitor', () => {}, 'Log in to see that page'],
    ['a member', () => browser.signIn(world.addMember()), 'Only owners can see that page'],
  ] as const)
    test(`ADMN-1 ROUTE-12 PERM-5 ${who} is led to the front page and told why, and nothing of the admin is asked for`, async () => {
      signIn()
      const page = await browser.open('/admin/inactive')
      await waitFor(() => expect(page.address()).toBe('/'))
      await screen.findByText(why, { selector: 'b' })
      expect(adminCalls()).toEqual([])
      if (who === 'a member') return
      fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
      await waitFor(() => expect(page.address()).toBe('/login?redirect=%2Fadmin%2Finactive'))
    })

  const refuseNextCall = (sql: string) => {
    world.ctx.sqlite.exec(sql)
    invalidateResponses(world.ctx)
    fireEvent.click(screen.getByRole('button', { name: /^Ending/ }))
  }

  test('ROLE-05 who is an owner no longer is out at the next call, nothing of the members stays with them, and made one again is let in', {
    tags: ['full'],
  }, async () => {
    world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    const { id } = world.addOwner()
    browser.signIn({ id, email: '' })
    const page = await browser.open('/admin/members')
    await row('Priya Shah')
    localStorage.setItem('owner-draft:member', '{}')
    // With access, or the browser would ask again about a member it has known for some minutes.
    refuseNextCall(`update users set isAdmin = 0, accessOverride = 'granted'`)
    await waitFor(() => expect(page.address()).toBe('/'))
    expect(localStorage.getItem('owner-draft:member')).toBeNull()
    expect(document.body.textContent).not.toContain('Priya')
    await waitFor(() => expect(screen.queryByLabelText('Loading the admin')).toBeNull())
    world.ctx.sqlite.exec(`update users set isAdmin = 1, "firstName" = 'Oona' where id = '${id}'`)
    await page.go('/admin/members?show=owners')
    await row('Oona Hart')
  })

  test('ROLE-05 made an owner again while they are led out, and back at once, they are let in', {
    tags: ['full'],
  }, async () => {
    const { id } = world.addOwner()
    browser.signIn({ id, email: '' })
    const page = await browser.open('/admin/members?show=owners')
    await row('Olive Hart')
    // Hold the front page back, so the admin stays on screen until then.
    browser.setDelivery('/api/site-content?page=home', 'hang')
    refuseNextCall(`update users set isAdmin = 0, accessOverride = 'granted'`)
    await screen.findByLabelText('Loading the admin')
    world.ctx.sqlite.exec(`update users set isAdmin = 1, "firstName" = 'Oona' where id = '${id}'`)
    invalidateResponses(world.ctx)
    await waitFor(() => expect(page.address()).toBe('/'))
    await page.go('/admin/members?show=owners')
    await row('Oona Hart')
  })

  test('ROLE-05 whose login has ended goes to the login and back from there', { tags: ['full'] }, async () => {
    world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    const owner = world.addOwner()
    browser.signIn(owner)
    const page = await browser.open('/admin/members')
    await row('Priya Shah')
    localStorage.setItem('owner-draft:member', '{}')
    refuseNextCall('delete from sessions')
    await waitFor(() => expect(page.address()).toBe('/login?redirect=%2Fadmin%2Fmembers%3Fshow%3Dending'))
    await screen.findByText('Log in to get back to where you were.')
    expect(document.body.textContent).not.toContain('Priya')
    expect(localStorage.getItem('owner-draft:member')).not.toBeNull()
    browser.signIn(owner)
    browser.setDelivery('/api/admin/members?show=with-access&limit=50', { status: 500, body: {} })
    await page.go('/admin/members')
    await screen.findByText(/We couldn’t reach the site/)
    expect(screen.queryByRole('row', { name: /Priya/ })).toBeNull()
  })

  test('ROUTE-31 a place that the admin does not have is not found', { tags: ['full'] }, async () => {
    browser.signIn(world.addOwner())
    await browser.open('/admin/nowhere')
    await screen.findByRole('heading', { name: '404 Page Not Found' })
    await waitFor(() => expect(document.title).toMatch(/^404 Page Not Found \| /))
  })
})

async function chooseFor(member: string, action: string) {
  fireEvent.click(await screen.findByRole('button', { name: `More for ${member}` }))
  fireEvent.click(await screen.findByRole('button', { name: action }))
}

describe('the members', () => {
  beforeEach(() => browser.signIn(world.addOwner()))

  test('ADMN-6 ADMN-8 ADMN-9 ADMN-10 everybody is listed; owners’ rows have no actions', async () => {
    world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    world.addUser({ firstName: 'Kelly', lastName: 'Byrne' })
    await browser.open('/admin/members?show=all')
    const actions = async (name: string) => {
      fireEvent.click(await screen.findByRole('button', { name: `More for ${name}` }))
      const menu = await screen.findByRole('dialog', { name })
      const found = within(menu).getAllByRole('button').slice(1)
      fireEvent.click(within(menu).getByRole('button', { name: 'Close' }))
      return found.map(({ textContent }) => textContent)
    }
    expect(await actions('Priya Shah')).toEqual([
      'Revoke Priya Shah’s access',
      'Delete Priya Shah’s invoices',
      'Remove Priya Shah permanently',
    ])
    expect((await actions('Kelly Byrne'))[0]).toBe('Restore Kelly Byrne’s access')
    expect(within(await row('Olive Hart')).queryAllByRole('button')).toEqual([])
  })

  test('ADMN-13 CALLS-13 inactive members are listed with the month, amount, commission and state of each payment', async () => {
    const gone = world.addMember({ firstName: 'Newton', lastName: 'Gale', subscription: { status: 'canceled' } })
    addPaidMonth(world, gone, '2026-04-12')
    addPaidMonth(world, gone, '2026-05-12')
    const body = { commissionPaid: true, commissionMonth: '2026-04' }
    await world.signIn(world.addOwner())(`/api/admin/commission-status/${gone.id}`, { method: 'PATCH', body })
    world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    await browser.open('/admin/inactive')
    const months = within(await row('Newton Gale')).getAllByRole('listitem')
    expect(months.map(({ textContent }) => textContent)).toEqual([
      'May 2026: £250.00, commission £25.00 unpaid',
      'April 2026: £250.00, commission £25.00 paid',
    ])
    expect(screen.queryByRole('row', { name: /Priya Shah/ })).toBeNull()
  })

  test('ADMN-11 ADMN-12 CALLS-26 revoking asks first, says what happens to the billing, and is sent once confirmed', async () => {
    const { id } = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    await browser.open('/admin/members?show=all')
    await chooseFor('Priya Shah', 'Revoke Priya Shah’s access')
    const dialog = await screen.findByRole('dialog', { name: 'Revoke Priya Shah’s access?' })
    expect(dialog.textContent).toContain('We’ll keep charging for the membership')
    expect(within(dialog).getByRole<HTMLInputElement>('checkbox', { name: 'Cancel the membership too' }).checked).toBe(
      false,
    )
    expect(adminCalls().some(({ path }) => path.endsWith('/revoke-access'))).toBe(false)
    fireEvent.click(within(dialog).getByRole('button', { name: 'Revoke access' }))
    await waitFor(async () => expect((await row('Priya Shah')).textContent).toContain('Access revoked'))
    expect(world.ctx.sqlite.prepare('select accessOverride from users where id = ?').pluck().get(id)).toBe('revoked')
    await chooseFor('Priya Shah', 'Restore Priya Shah’s access')
    fireEvent.click(await screen.findByRole('button', { name: 'Restore access' }))
    await waitFor(async () => expect((await row('Priya Shah')).textContent).not.toContain('Access revoked'))
  })

  test('ADMN-11 who never had access can be given it, and nothing says that it was revoked', async () => {
    world.addUser({ firstName: 'Kelly', lastName: 'Byrne' })
    await browser.open('/admin/members?show=all')
    await chooseFor('Kelly Byrne', 'Restore Kelly Byrne’s access')
    const dialog = await screen.findByRole('dialog', { name: 'Restore Kelly Byrne’s access?' })
    expect(dialog.textContent).not.toContain('revoked')
    expect(dialog.textContent).toContain('gets the videos free, without a membership')
    expect(dialog.textContent).toContain('It may be someone else’s')
    expect(within(dialog).getByRole('button', { name: 'Not now' })).toBeTruthy()
  })

  test('EMSG-16 a failure says so in the dialog, which stays open', { tags: ['full'] }, async () => {
    const { id } = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    await browser.open('/admin/members?show=all')
    await chooseFor('Priya Shah', 'Revoke Priya Shah’s access')
    browser.setDelivery(`/api/admin/members/${id}/revoke-access`, { status: 500, body: {} })
    fireEvent.click(screen.getByRole('button', { name: 'Revoke access' }))
    await screen.findByText('Failed to revoke access')
    expect(screen.getByRole('dialog')).toBeTruthy()
  })

  test('ADMN-10 EMSG-15 removing lists what goes and what stays first; a refusal gives the server’s reason', async () => {
    const { id } = world.addUser({ firstName: 'Kelly', lastName: 'Byrne' })
    await browser.open('/admin/members?show=all')
    await chooseFor('Kelly Byrne', 'Remove Kelly Byrne permanently')
    const dialog = await screen.findByRole('dialog', { name: 'Remove Kelly Byrne permanently?' })
    await within(dialog).findByText('Only the account.')
    browser.setDelivery(`/api/admin/members/${id}?dryRun=false`, {
      status: 409,
      body: { error: { code: 'conflict', message: 'The provider says no.' } },
    })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove permanently' }))
    await screen.findByText('The provider says no.')
    browser.setDelivery(`/api/admin/members/${id}?dryRun=false`, 'deliver')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove permanently' }))
    await waitFor(() => expect(screen.queryByRole('row', { name: /Kelly Byrne/ })).toBeNull())
  })

  test('CALLS-9 search and filter live in the address; what is not found says so and leads back', async () => {
    world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    world.addUser({ firstName: 'Kelly', lastName: 'Byrne' })
    const page = await browser.open('/admin?q=shah')
    await row('Priya Shah')
    expect(screen.queryByRole('row', { name: /Kelly/ })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: /^Revoked/ }))
    await screen.findByText('Nothing found')
    expect(page.address()).toBe('/admin/members?q=shah&show=revoked')
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }))
    await row('Kelly Byrne')
    expect(page.address()).toBe('/admin/members?show=all')
  })

  test('CONST-10 a renewal changes rows in their places; new ones wait until they are asked for', async () => {
    const { id } = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    await browser.open('/admin/members?show=all')
    await row('Priya Shah')
    world.addMember({ firstName: 'Newton', lastName: 'Early' })
    world.ctx.sqlite.prepare(`update users set accessOverride = 'revoked' where id = ?`).run(id)
    invalidateResponses(world.ctx)
    browser.setSignal(false)
    browser.setSignal(true)
    await screen.findByText('The list has changed')
    expect(screen.queryByRole('row', { name: /Newton/ })).toBeNull()
    expect((await row('Priya Shah')).textContent).toContain('Access revoked')
    fireEvent.click(screen.getByRole('button', { name: 'Show it' }))
    await row('Newton Early')
  })

  test('without signal the list stays, says since when it stands, and that changes need signal', async () => {
    world.addMember({ firstName: 'Priya', lastName: 'Shah' })
    await browser.open('/admin/members?show=all')
    await row('Priya Shah')
    browser.setSignal(false)
    await chooseFor('Priya Shah', 'Revoke Priya Shah’s access')
    fireEvent.click(await screen.findByRole('button', { name: 'Revoke access' }))
    await screen.findByText('No signal. Try again when you’re back in range.')
    await row('Priya Shah')
  })
})

describe('the places', () => {
  beforeEach(() => browser.signIn(world.addOwner()))

  const placeOf = (tab: string) => adminPlaces[findTab(tab)?.place ?? 'today'].label

  const linksIn = (part: HTMLElement) => within(part).getAllByRole('link')
  const labelsIn = (part: HTMLElement) => linksIn(part).map(({ textContent }) => textContent)

  test('ADMN-6 nine places, the seven tabs under their labels and addresses in them, one press away', async () => {
    const page = await browser.open('/admin/invoices')
    const rail = within(await screen.findByRole('navigation', { name: 'Admin' }))
    expect(rail.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Today',
      'Members',
      'Inbox',
      'Calendar',
      'Money',
      'Videos',
      'Site',
      'Marketing',
      'Settings',
    ])
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Money')
    expect(rail.getByRole('link', { name: 'Money' }).getAttribute('aria-current')).toBe('true')
    expect(labelsIn(screen.getByRole('navigation', { name: 'Money' }))).toEqual([
      'Earned',
      'Payments',
      'Revenue',
      'Invoices',
      'Payouts',
      'Commission rates',
      'Statements',
      'Tiers',
    ])
    fireEvent.click(rail.getByRole('link', { name: 'Money' }))
    await waitFor(() => expect(page.address(), 'Money opens on what was earned').toBe('/admin/earned'))
    const specified = { members: 'Active', inactive: 'Inactive', payments: 'Payments', videos: 'Videos' }
    const all = { ...specified, applications: 'Applications', blog: 'Blog', analytics: 'Analytics' }
    for (const [name, label] of Object.entries(all)) {
      fireEvent.click(rail.getByRole('link', { name: placeOf(name) }))
      const tabs = await screen.findByRole('navigation', { name: placeOf(name) })
      fireEvent.click(within(tabs).getByRole('link', { name: label }))
      await waitFor(() => expect(page.address()).toBe(`/admin/${name}`))
    }
  })

  test('on a phone four places are one tap away, and the rest two', async () => {
    const page = await browser.open('/admin/invoices')
    const bar = within(await screen.findByRole('navigation', { name: 'Places' }))
    expect(bar.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Today',
      'Members',
      'Inbox',
      'Money',
    ])
    fireEvent.click(bar.getByRole('button', { name: 'More' }))
    const more = within(await screen.findByRole('dialog', { name: 'More' }))
    for (const name of ['View as Member', 'Logout']) expect(more.getByRole('button', { name })).toBeTruthy()
    expect(more.getByRole('link', { name: 'Back to Site' }).getAttribute('href')).toBe('/')
    fireEvent.click(more.getByRole('link', { name: 'Marketing' }))
    await waitFor(() => expect(page.address()).toBe('/admin/mailings'))
    expect(screen.queryByRole('dialog')).toBeNull()
    fireEvent.click(bar.getByRole('button', { name: 'More' }))
    const target = await within(await screen.findByRole('dialog', { name: 'More' })).findByRole('link', {
      name: /^Target/,
    })
    fireEvent.click(target)
    await waitFor(() => expect(page.address()).toBe('/admin/members?show=paying'))
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('the addresses of before lead on: a list’s filters to Members, /admin/today to /admin', {
    tags: ['full'],
  }, async () => {
    const page = await browser.open('/admin?show=payment-due')
    await waitFor(() => expect(page.address()).toBe('/admin/members?show=payment-due'))
    await page.go('/admin/today')
    await waitFor(() => expect(page.address()).toBe('/admin'))
    await screen.findByRole('heading', { level: 1, name: 'Today' })
    expect(screen.queryByText('JOIN THE MOVEMENT')).toBeNull()
    await page.go('/admin/settings?group=calls')
    await waitFor(() => expect(page.address()).toBe('/admin/addresses?group=calls'))
  })
})

describe('target and revenue', () => {
  beforeEach(() => browser.signIn(world.addOwner()))

  test('ADMN-2 ADMN-3 ADMN-4 ADMN-5 CONST-09 CALLS-12 paying members out of 100, without the owners, and the revenue', async () => {
    world.addMember({ tier: 'standard' })
    world.addMember({ tier: 'xl' })
    await browser.open('/admin')
    await screen.findByText('paying customers, not counting owners')
    expect(screen.getByRole('progressbar', { name: 'Customer target, 2 of 100' })).toBeTruthy()
    expect(screen.getByText('2%')).toBeTruthy()
    expect(screen.queryByText('Target achieved')).toBeNull()
    expect(screen.getAllByText('£700')).toHaveLength(2)
    const links = ['See who’s paying', 'Target2 of 100'].map((name) => screen.getByRole('link', { name }))
    expect(links.map((link) => link.getAttribute('href'))).toEqual(Array(2).fill('/admin/members?show=paying'))
  })

  test('EMSG-29 a call that yields nothing says so, and can be made again', { tags: ['full'] }, async () => {
    browser.setDelivery('/api/admin/mrr?limit=1', { status: 500, body: {} })
    await browser.open('/admin')
    await screen.findByText('Unable to load MRR data')
    const target = within(screen.getByRole('region', { name: 'Customer target' }))
    expect(target.getByText('We couldn’t load the target.')).toBeTruthy()
    fireEvent.click(target.getByRole('button', { name: 'Try again' }))
    browser.setDelivery('/api/admin/mrr?limit=1', 'deliver')
    fireEvent.click(screen.getByRole('button', { name: 'Retry' }))
    await within(screen.getByRole('region', { name: 'Monthly recurring revenue' })).findByText('£0')
  })
})
