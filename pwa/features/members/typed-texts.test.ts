// @module-tag full
import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attacks } from '#api/testing/attacks.ts'
import { openCalendar } from '#api/testing/calendar.ts'
import { fillDatabase } from '#api/testing/full-database.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { writeTypedTexts } from '#api/testing/typed-texts.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { countOfTags, injectedInto } from '#pwa/testing/injected.ts'

let world: World
let browser: Browser
let member: TestPerson
const alert = vi.fn()
beforeEach(async () => {
  alert.mockReset()
  Object.assign(globalThis, { alert })
  world = startWorld()
  openCalendar(world)
  world.addVideos()
  fillDatabase(world, 1)
  member = world.addMember({ tier: 'xl' })
  const booked = { kind: 'coaching', coach: 'coach-1', startsAt: '2026-06-15T08:00:00.000Z' }
  expect((await world.signIn(member)('/api/calendar/calls', { body: booked })).status).toBe(200)
  writeTypedTexts(world, all)
  browser = createBrowser(world)
  browser.signIn(member)
})
afterEach(() => browser.close())

const all = [...Object.values(attacks), ...Object.values(attacks).map((attack) => `- ${attack}`)].join('\n')
const slug = 'the-year-on-one-page'

/** Each member's screen with text typed by owners, coaches and themselves, and where it shows. */
const screens = [
  ['a lesson with its notes, transcript and hand-outs', `/members/videos/${slug}`, '.lesson__text', 3],
  ['what was agreed in a call', '/members/calls', '.calls__agreed', 1],
  ['an announcement', '/members', '.note', 1],
  ['an episode', '/podcast', '.episodes', 1],
] as const

/** An address in an episode's notes is a link, which shows where it leads. */
const isWrittenLink = (html: string) => /^<a href="(https:\/\/[^"]+)" class="link">\1<\/a>$/.test(html)

test.each(screens)('%s is text to a member, whatever it says', async (_what, path, where, places) => {
  const video = world.ctx.sqlite.prepare('select id from member_videos where slug = ?').pluck().get(slug)
  world.ctx.sqlite.prepare('update video_handouts set videoId = ?').run(video)
  await browser.open(path)
  await waitFor(() => {
    const shown = [...document.querySelectorAll(where)].filter(({ textContent }) => countOfTags(textContent) > 40)
    expect([path, shown.length >= places]).toEqual([path, true])
  })
  for (const closed of screen.queryAllByRole('group')) fireEvent.click(closed)
  expect(injectedInto(document.body).filter((html) => !isWrittenLink(html))).toEqual([])
  expect(alert).not.toHaveBeenCalled()
})
