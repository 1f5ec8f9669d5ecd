import '#pwa/testing/window.ts'
import { screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { announcementOf, webmOf } from '#api/testing/question-files.ts'
import { asker } from '#api/testing/questions.ts'
import { startWorld } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { dayMs } from '#shared/rules/durations.ts'
import { voiceSendings } from './voice-sending-store.ts'

let browser: Browser
afterEach(() => browser.close())

test('a voice note whose answer went over a week ago is still sent from this device', async () => {
  const world = startWorld({ startsAt: new Date(Date.now() - 8 * dayMs) })
  browser = createBrowser(world)
  const { id, version } = await asker(world, world.addMember()).ask()
  const owner = world.addOwner()
  const spoken = webmOf(4)
  const file = announcementOf(world.ctx.newId(), 'voice', spoken)
  const body = { id: world.ctx.newId(), text: '', files: [file], version }
  expect((await world.signIn(owner)(`/api/admin/questions/${id}/answers`, { body })).status).toBe(200)
  world.forward(8 * dayMs)
  browser.signIn(owner)
  await browser.open(`/admin/questions?entry=${id}`)
  await screen.findByText(/^This voice note didn’t arrive/)
  await voiceSendings.send({ questionId: id, fileId: file.id, blob: new Blob([new Uint8Array(spoken)]) })
  const answer = await world.signIn(owner)(`/api/admin/question-files/${file.id}`)
  expect((await answer.json()).file).toMatchObject({ state: 'ready', received: spoken.length })
})
