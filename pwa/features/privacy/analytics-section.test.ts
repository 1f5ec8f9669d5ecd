import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashPassword } from '#api/features/auth/password-service.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { track } from '#pwa/lib/track.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
})

afterEach(() => browser.close())

const counted = () =>
  world.ctx.sqlite.prepare<[], object>('select name, path, detail from analytics_events order by rowid').all()

test('NAV-16 ANLT-05 a login is counted, and each page once, without its query', async () => {
  world.addMember({ email: 'sam@alliance.test', passwordHash: await hashPassword('ladders up') })
  await browser.open('/login?redirect=%2Fmembers%3Ftab%3Dbilling')
  fireEvent.input(await screen.findByLabelText('Email'), { target: { value: 'sam@alliance.test' } })
  fireEvent.input(screen.getByLabelText('Password'), { target: { value: 'ladders up' } })
  fireEvent.click(screen.getByRole('button', { name: 'Log in' }))
  await waitFor(() => expect(counted()).toContainEqual({ name: 'page_view', path: '/members', detail: null }))
  const seen = counted().map((event) => JSON.stringify(event))
  expect(seen.filter((event) => event.includes('"login"'))).toHaveLength(1)
  expect(seen.filter((event) => event.includes('page_view'))).toHaveLength(new Set(seen).size - 1)
  expect(seen.join()).not.toMatch(/billing|sam|\?/)
})

test('ANLT-04 a completed video is counted by its name; taking the tick back is not', async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open('/members')
  const title = 'Where the business is now'
  const row = within((await screen.findByRole('heading', { level: 4, name: title })).closest('li') ?? document.body)
  fireEvent.click(row.getByRole('button', { name: `Mark Complete: ${title}` }))
  fireEvent.click(await row.findByRole('button', { name: `Mark Incomplete: ${title}` }))
  await row.findByRole('button', { name: `Mark Complete: ${title}` })
  const videos = () => counted().filter((event) => 'name' in event && event.name === 'video_complete')
  await waitFor(() => expect(videos()).toHaveLength(1))
  expect(JSON.stringify(videos())).toContain(title)
})

test('ANLT-04 a completion without signal is counted when it has been sent, once', async () => {
  browser.signIn(world.addMember({ tier: 'lite' }))
  await browser.open('/members')
  const title = 'Where the business is now'
  const row = within((await screen.findByRole('heading', { level: 4, name: title })).closest('li') ?? document.body)
  const videos = () => counted().filter((event) => 'name' in event && event.name === 'video_complete')
  browser.setSignal(false)
  fireEvent.click(row.getByRole('button', { name: `Mark Complete: ${title}` }))
  await row.findByText('Waiting to send')
  expect(videos()).toEqual([])
  browser.setSignal(true)
  await row.findByText('Completed')
  await waitFor(() => expect(videos()).toEqual([expect.objectContaining({ path: '/members', detail: title })]))
  await browser.open('/members')
  await screen.findByText('All sent')
  expect(videos()).toHaveLength(1)
})

test('ANLT-03 what happens without signal is let go, and nothing breaks', async () => {
  browser.setSignal(false)
  track({ name: 'form_submit', applicationType: 'coaching' })
  browser.setSignal(true)
  track({ name: 'form_submit', applicationType: 'contact' })
  const submitted = () => counted().filter((event) => 'detail' in event && event.detail !== null)
  await waitFor(() => expect(submitted()).toHaveLength(1))
  expect(JSON.stringify(submitted())).toContain('"contact"')
})
