import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { publishedQuestions } from '#api/db/schema/questions.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let videoId: string

beforeEach(() => {
  world = startWorld()
  const video = world.addVideos().find(({ slug }) => slug === 'the-year-on-one-page')
  videoId = video?.id ?? ''
  browser = createBrowser(world)
  browser.signIn(world.addMember({ tier: 'lite' }))
})
afterEach(() => browser.close())

const path = '/members/videos/the-year-on-one-page'
const asked = () => screen.findByRole('region', { name: 'Asked by members' })

function publish(question: string): string {
  const [id, now] = [world.ctx.newId(), world.ctx.now().toISOString()]
  const texts = { question, answer: `The answer to: ${question}` }
  insertRow(world.ctx, publishedQuestions, { id, videoId, ...texts, createdAt: now, updatedAt: now })
  return id
}

test('what others asked is below its video, and is found useful by one press, which another takes back', async () => {
  publish('How long does it take?')
  await browser.open(path)
  const section = await asked()
  expect(section.textContent).toContain('The answer to: How long does it take?')
  const useful = within(section).getByRole('button', { name: 'Useful' })
  fireEvent.click(useful)
  await waitFor(() => expect(rowsOf(world, 'useful_questions')).toHaveLength(1))
  await within(section).findByRole('button', { name: 'Useful to 1', pressed: true })
  await waitFor(() => expect(useful.getAttribute('aria-busy')).toBeNull())
  fireEvent.click(within(section).getByRole('button', { pressed: true }))
  await waitFor(() => expect(rowsOf(world, 'useful_questions')).toEqual([]))
  await within(section).findByRole('button', { name: 'Useful', pressed: false })
})

test('a press that doesn’t reach the server is taken back, and says so', async () => {
  const id = publish('How long does it take?')
  await browser.open(path)
  const section = await asked()
  browser.setDelivery(`/api/members/published-questions/${id}/useful`, 'lose-request')
  fireEvent.click(within(section).getByRole('button', { name: 'Useful' }))
  await screen.findByText('We couldn’t save that')
  await within(section).findByRole('button', { name: 'Useful', pressed: false })
})

test('one that’s been taken down since the page opened says so at a press, and goes', async () => {
  const id = publish('How long does it take?')
  publish('What does it cost?')
  await browser.open(path)
  const section = await asked()
  world.ctx.sqlite.prepare('delete from published_questions where id = ?').run(id)
  const row = within(section).getByText('How long does it take?').closest('li')
  fireEvent.click(within(row ?? section).getByRole('button', { name: 'Useful' }))
  await screen.findByText('We’ve taken this question down.')
  await waitFor(() => expect(section.textContent).not.toContain('How long does it take?'))
  expect(section.textContent).toContain('What does it cost?')
})

test('of many, the first five stand there until the rest is asked for; a video without any has no such part', async () => {
  for (const number of [1, 2, 3, 4, 5, 6, 7]) publish(`Question ${number}`)
  await browser.open(path)
  const section = await asked()
  expect(within(section).getAllByRole('listitem')).toHaveLength(5)
  fireEvent.click(within(section).getByRole('button', { name: 'Show all 7' }))
  expect(within(section).getAllByRole('listitem')).toHaveLength(7)
  await browser.open('/members/videos/choosing-the-work-you-want')
  await screen.findByRole('heading', { level: 1, name: 'Choosing the work you want' })
  expect(screen.queryByRole('region', { name: 'Asked by members' })).toBeNull()
})
