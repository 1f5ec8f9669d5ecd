import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { formatLongDate } from '#shared/rules/london.ts'

let world: World
let browser: Browser
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
})
afterEach(() => browser.close())

test('VIEW-1 ROUTE-28 PERM-5 a visitor and a member are led to the front page, once it is known who they are', {
  tags: ['full'],
}, async () => {
  const { id } = world.addMember()
  const page = await browser.open(`/view-member/${id}`)
  expect([page.address(), screen.getByRole('status', { name: 'Loading the admin' })]).toEqual([
    `/view-member/${id}`,
    expect.anything(),
  ])
  await waitFor(() => expect(page.address()).toBe('/'))
  browser.signIn(world.addMember())
  const again = await browser.open(`/view-member/${id}`)
  await waitFor(() => expect(again.address()).toBe('/'))
  expect(browser.network.sent.filter(({ path }) => path.startsWith('/api/admin/'))).toEqual([])
})

test('VIEW-3 EMSG-42 CALLS-40 a member who is missing, and the way back', async () => {
  browser.signIn(world.addOwner())
  const page = await browser.open(`/view-member/${world.ctx.newId()}`)
  await screen.findByRole('heading', { name: 'Member Not Found' })
  expect(screen.getByRole('link', { name: 'All members' }).getAttribute('href')).toBe('/admin/members')
  fireEvent.click(screen.getByRole('link', { name: 'Back to Admin' }))
  await waitFor(() => expect(page.address()).toBe('/admin'))
})

test('VIEW-4 the way back is to where the owner came from, with the list’s filters', { tags: ['full'] }, async () => {
  const { id } = world.addMember({ firstName: 'Priya', lastName: 'Shah' })
  browser.signIn(world.addOwner())
  const page = await browser.open('/admin/members?q=Shah')
  const follow = async (name: string) => fireEvent.click(await screen.findByRole('link', { name }))
  await follow('Priya Shah')
  await follow('What they’ve watched')
  await screen.findByRole('heading', { name: 'Viewing as: Priya Shah' })
  await follow('Back')
  await waitFor(() => expect(page.address()).toBe(`/admin/members/${id}`))
  await screen.findByRole('heading', { name: 'Priya Shah' })
  await follow('Back')
  await waitFor(() => expect(page.address()).toBe('/admin/members?q=Shah'))
})

test('VIEW-2 a spinner shows while the member is loading', async () => {
  const { id } = world.addMember()
  browser.signIn(world.addOwner())
  browser.setDelivery(`/api/admin/member-progress/${id}`, 'hang')
  await browser.open(`/view-member/${id}`)
  const loading = await screen.findByRole('status', { name: 'Loading the member' })
  expect(loading.querySelector('.spinner')).not.toBeNull()
})

test('VIEW-4 VIEW-5 VIEW-6 VIEW-7 VIEW-8 CALLS-41 CALLS-42 who it is, and what they have watched, by category', async () => {
  const videos = world.addVideos()
  const member = world.addMember({ firstName: 'Priya', lastName: 'Shah', tier: 'xl' })
  const [first] = videos
  if (first === undefined) throw new Error('There are no videos.')
  world.ctx.sqlite.prepare(`update member_videos set category = '', orderIndex = 0 where id = ?`).run(first.id)
  invalidateResponses(world.ctx)
  await world.signIn(member)(`/api/video-progress/${first.id}/complete`, { method: 'POST' })
  browser.signIn(world.addOwner())
  await browser.open(`/view-member/${member.id}`)
  expect(screen.getByRole('status', { name: 'Loading the admin' })).toBeTruthy()
  await screen.findByRole('heading', { name: 'Viewing as: Priya Shah' })
  const total = Number(
    world.ctx.sqlite
      .prepare(
        `select count(*) from member_videos v join video_tiers t on t.videoId = v.id and t.tierSlug = 'xl' where isPublished`,
      )
      .pluck()
      .get(),
  )
  for (const words of [member.email, /XL Member$/, `1/${total}`, `Account made ${formatLongDate(world.ctx.now())}`])
    expect(await screen.findByText(words)).toBeTruthy()
  const sum = within(screen.getByRole('region', { name: 'Overall progress' }))
  expect(sum.getByRole('progressbar', { name: `Overall progress, 1 of ${total}` })).toBeTruthy()
  expect(sum.getByText(`${Math.round(100 / total)}%`)).toBeTruthy()
  const card = within(screen.getByRole('region', { name: 'Uncategorized' }))
  expect(card.getByText('1/1 completed')).toBeTruthy()
  expect(card.getByText('100%').className).toBe('badge badge--ok')
  expect(card.getByText('Complete').parentElement?.textContent).toBe(`Complete ${formatLongDate(world.ctx.now())}`)
  expect(screen.getAllByText('Not started')).toHaveLength(total - 1)
})
