import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ensureOwners } from '#api/features/accounts/owners/service.ts'
import { coachingApplication, coachingBooking, contactMessage, rowsOf } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld({ env: { OWNER_EMAILS: 'olive@example.com', SIMPLE_ADMIN_EMAIL: 'office@example.com' } })
  ensureOwners(world.ctx)
  browser = createBrowser(world)
})
afterEach(() => browser.close())

const ownerId = (email: string) =>
  String(world.ctx.sqlite.prepare('select id from users where email = ?').pluck().get(email))
const signInAs = (email: string) => browser.signIn({ id: ownerId(email), email })

const lists = () => browser.network.sent.filter(({ path }) => /applications|contacts|bookings/.test(path))

describe('the door', () => {
  for (const [who, signIn] of [
    ['a visitor', () => {}],
    ['a member', () => browser.signIn(world.addMember())],
    ['another owner', () => signInAs('olive@example.com')],
  ] as const)
    test(`ROUTE-18 SIMP-4 SIMP-5 EMSG-43 ${who} is refused, and no list is asked for`, async () => {
      signIn()
      await browser.open('/dashboard')
      await screen.findByRole('heading', { name: 'Access Denied' })
      expect(screen.getByText("You don't have permission to access this page.")).toBeTruthy()
      expect(lists()).toEqual([])
    })
})

describe('for the one account', () => {
  beforeEach(() => signInAs('office@example.com'))
  const tab = async (name: string) => fireEvent.click(await screen.findByRole('link', { name }))
  const choose = async (label: string, value: string) =>
    fireEvent.change(await screen.findByRole('combobox', { name: label }), { target: { value } })

  test('SIMP-1 SIMP-2 SIMP-3 SIMP-6 SIMP-9 ROUTE-35 three tabs and the bookings, each with a status to set', async () => {
    await world.call('/api/coaching-application', { body: coachingApplication })
    await world.call('/api/coaching-bookings', { body: coachingBooking })
    await world.call('/api/contact', { body: contactMessage })
    await browser.open('/dashboard')
    const tabs = within(await screen.findByRole('navigation', { name: 'Dashboard' }))
    expect(tabs.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
      'Coaching Applications',
      'Membership Applications',
      'Contact Inquiries',
      'Bookings',
      'Blog',
    ])
    expect(tabs.getByRole('link', { current: 'page' }).textContent).toBe('Coaching Applications')
    await choose('Sam Field’s status', 'approved')
    await screen.findByText('Application status has been updated successfully.')
    await waitFor(() => expect(rowsOf(world, 'coaching_applications')[0]).toMatchObject({ status: 'approved' }))
    await tab('Contact Inquiries')
    await screen.findByRole('button', { name: 'Open Sam Field’s message' })
    // The admin’s shortcuts work here and don’t leave the dashboard.
    fireEvent.keyDown(document.body, { key: 'g' })
    fireEvent.keyDown(document.body, { key: 'k' })
    await choose('Sam Field’s status', 'completed')
    await waitFor(() => expect(rowsOf(world, 'coaching_bookings')[0]).toMatchObject({ status: 'completed' }))
  })

  test('SIMP-7 ENT-12 membership applications show one name and the tier, and a filter stays on their tab', async () => {
    const page = await browser.open('/dashboard?tab=membership')
    await screen.findByText('No applications yet')
    await choose('Show', 'rejected')
    await screen.findByText('Nothing fits this filter')
    expect(page.address()).toBe('/dashboard?tab=membership&show=rejected')
  })

  test('SIMP-10 SIMP-11 BLOG-10 a post is written in six fields by the rules of the contract; its picture and date stay', {
    tags: ['full'],
  }, async () => {
    const owner = world.signIn({ id: ownerId('office@example.com'), email: 'office@example.com' })
    const stored = async () => (await owner('/api/admin/blog?sort=title')).json()
    const [featuredImage, publishedAt] = ['/pictures/van.webp', '2026-03-01T09:00:00.000Z']
    const old = { title: 'Old', slug: 'old', content: '<table><tbody><tr><td>1</td></tr></tbody></table>' }
    await owner('/api/admin/blog', { body: { ...old, featuredImage, publishedAt, isPublished: true } })
    const write = async (label: RegExp, value: string) =>
      fireEvent.input(await screen.findByLabelText(label), { target: { value } })
    const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
    const page = await browser.open('/dashboard?tab=blog')
    await tab('New post')
    await press('Save draft')
    for (const message of ['Title is required', 'Slug is required', 'Content is required'])
      await screen.findByText(message)
    const form = await screen.findByRole('form', { name: 'Blog post' })
    const names = [...form.querySelectorAll('input:not([type=hidden]), textarea')].map((field) =>
      field.getAttribute('name'),
    )
    expect(names.filter(Boolean)).toEqual(['title', 'slug', 'excerpt', 'content', 'author', 'isPublished'])
    await write(/^Title/, 'A new one')
    await press('Write as HTML')
    await write(/^Content as HTML/, '<p>Short.</p>')
    await press('Save draft')
    await tab('Old')
    expect(page.address()).toMatch(/^\/dashboard\?tab=blog&post=/)
    await write(/^Title/, 'Old, put right')
    await press('Save post')
    await screen.findByRole('row', { name: /Old, put right/ })
    expect([page.address(), await stored()]).toMatchObject([
      '/dashboard?tab=blog',
      [
        { slug: 'a-new-one', isPublished: false },
        { slug: 'old', featuredImage, publishedAt, isPublished: true },
      ],
    ])
  })
})
