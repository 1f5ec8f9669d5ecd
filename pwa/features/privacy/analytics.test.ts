import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { password, quickHash } from '#api/testing/passwords.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { track } from '#pwa/lib/track.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { pageTexts } from '#pwa/testing/public-data.ts'
import { testEventPath } from '#shared/values/analytics-path.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const counted = () =>
  world.ctx.sqlite
    .prepare<[], { kind: string; key: string; count: number }>('select kind, "key", "count" from daily_counts')
    .all()
const countedOf = (kind: string) => counted().filter((each) => each.kind === kind)

test('NAV-16 ANLT-05 a login is counted, and each page once, without its query', { tags: ['full'] }, async () => {
  world.addMember({ email: 'sam@alliance.test', passwordHash: quickHash })
  await browser.open('/login?redirect=%2Fmembers%3Ftab%3Dbilling')
  fireEvent.input(await screen.findByLabelText('Email'), { target: { value: 'sam@alliance.test' } })
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: password } })
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
  await waitFor(() => expect(counted()).toContainEqual({ kind: 'page_view', key: '/members', count: 1 }))
  expect(counted()).toEqual(
    expect.arrayContaining([
      { kind: 'login', key: '', count: 1 },
      { kind: 'source', key: 'direct', count: 1 },
    ]),
  )
  expect(JSON.stringify(counted())).not.toMatch(/billing|sam|\?/)
})

test('ANLT-04 a completed video is counted by its name; taking the tick back is not', { tags: ['full'] }, async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open('/members')
  const title = 'Where the business is now'
  const row = within((await screen.findByRole('heading', { level: 4, name: title })).closest('li') ?? document.body)
  fireEvent.click(row.getByRole('button', { name: `Mark Complete: ${title}` }))
  fireEvent.click(await row.findByRole('button', { name: `Mark Incomplete: ${title}` }))
  await row.findByRole('button', { name: `Mark Complete: ${title}` })
  await waitFor(() => expect(countedOf('video_complete')).toMatchObject([{ key: title, count: 1 }]))
})

test('ANLT-04 a completion without signal is counted when it has been sent, once', { tags: ['full'] }, async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open('/members')
  const title = 'Where the business is now'
  const row = within((await screen.findByRole('heading', { level: 4, name: title })).closest('li') ?? document.body)
  const videos = () => countedOf('video_complete')
  browser.setSignal(false)
  fireEvent.click(row.getByRole('button', { name: `Mark Complete: ${title}` }))
  await row.findByText('Waiting to send')
  expect(videos()).toEqual([])
  browser.setSignal(true)
  await row.findByText('Completed')
  await waitFor(() => expect(videos()).toMatchObject([{ key: title, count: 1 }]))
  await browser.open('/members')
  await screen.findByText('Your ticks are saved')
  expect(videos()).toMatchObject([{ count: 1 }])
})

test('ANLT-03 what happens without signal is let go, and nothing breaks', async () => {
  browser.setSignal(false)
  track({ name: 'form_submit', applicationType: 'coaching' })
  browser.setSignal(true)
  track({ name: 'form_submit', applicationType: 'contact' })
  await waitFor(() => expect(countedOf('form_submit')).toMatchObject([{ key: 'contact', count: 1 }]))
})

test('a form that is begun is counted once, whatever is typed, and where the visit came from with its first page alone', async () => {
  const page = await browser.open('/about')
  await page.go('/contact')
  for (const text of ['S', 'Sam']) fireEvent.input(await screen.findByLabelText(/^Name/), { target: { value: text } })
  await page.go('/about')
  await waitFor(() => expect(counted()).toContainEqual({ kind: 'page_view', key: '/about', count: 1 }))
  expect(countedOf('form_begun')).toMatchObject([{ key: 'contact', count: 1 }])
  expect(countedOf('source')).toMatchObject([{ key: 'direct', count: 1 }])
})

test('on a device where the owners’ admin was open nothing is counted any more', async () => {
  browser.signIn(world.addOwner())
  const page = await browser.open('/admin/members')
  await screen.findByRole('heading', { level: 1, name: 'Members' })
  const before = counted()
  await page.go('/about')
  await screen.findByRole('heading', { level: 1, name: pageTexts.about.heading })
  track({ name: 'login' })
  track({ name: 'login' }, testEventPath)
  await waitFor(() => expect(countedOf('test')).toHaveLength(1))
  expect(counted()).toEqual([...before, { kind: 'test', key: 'login', count: 1 }])
})
