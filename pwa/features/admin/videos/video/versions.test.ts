import '#pwa/testing/window.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { videoFileOf } from '#api/testing/media.ts'
import { addOwnVideo, storeFile } from '#api/testing/own-videos.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

const folder = mkdtempSync(join(tmpdir(), 'alliance-versions-page-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let browser: Browser
let owner: Call
beforeEach(() => {
  world = startWorld({ env: { DATA_DIR: folder } })
  browser = createBrowser(world)
  const person = world.addOwner()
  browser.signIn(person)
  owner = world.signIn(person)
})
afterEach(() => browser.close())

const part = async () => {
  const heading = await screen.findByRole('heading', { name: 'For phones without signal' })
  if (!heading.parentElement) throw new Error('The heading is nowhere.')
  return within(heading.parentElement)
}

test('an owner adds a light video of their own and removes it, sees how many phones keep the video, and what’s missing', {
  tags: ['full'],
}, async () => {
  const videoFile = await storeFile(world, videoFileOf(5_000_000, 1), 'Vans.mp4')
  const { id } = await addOwnVideo(owner, 'Vans', { filmFiles: [videoFile.id] })
  const phone = world.signIn(world.addMember({ tier: 'lite' }))
  await phone('/api/shelf/kept', { method: 'PUT', body: { videoIds: [id] } })
  await browser.open(`/admin/videos?lesson=${id}`)
  const phones = await part()
  await phones.findByText(/The whole video is 5\.0 MB\. 1 phone keeps it\.$/)
  expect(phones.getAllByText(/ffmpeg isn’t installed on this site’s server/)).toHaveLength(2)
  const light = new File([new Uint8Array(videoFileOf(3_000, 2))], 'Small.mp4')
  fireEvent.change(await screen.findByLabelText('Upload your own light video: file'), { target: { files: [light] } })
  await phones.findByText('Your own file.')
  await phones.findByText('3 kB')
  const [version] = (await (await owner(`/api/admin/videos/${id}/versions`)).json()).versions
  expect(version).toMatchObject({ form: 'light', state: 'given', file: { name: 'Small.mp4' } })
  const remove = await phones.findByRole('button', { name: 'Remove the light video' })
  expect(remove.textContent).toBe('Remove')
  fireEvent.click(remove)
  await waitFor(() => expect(phones.queryByText('Your own file.')).toBeNull())
})

test('a version that couldn’t be made says why, and can be tried again', { tags: ['full'] }, async () => {
  const videoFile = await storeFile(world, videoFileOf(5_000_000, 1), 'Vans.mp4')
  const { id } = await addOwnVideo(owner, 'Vans', { filmFiles: [videoFile.id] })
  const skip = world.ctx.sqlite.prepare(`insert into skipped_versions values (?, ?, ?, ?, '2026-06-01T00:00:00.000Z')`)
  skip.run(id, 'light', videoFile.sha256, 'too-slow')
  skip.run(id, 'sound', videoFile.sha256, 'no-sound')
  await browser.open(`/admin/videos?lesson=${id}`)
  const phones = await part()
  await phones.findByText('It took too long to make. Try again, or upload your own.')
  phones.getByText('This video has no sound.')
  expect(phones.queryByRole('button', { name: 'Make the audio' })).toBeNull()
  fireEvent.click(phones.getByRole('button', { name: 'Make the light video' }))
  await phones.findByText(/ffmpeg isn’t installed/)
})
