import '#pwa/testing/window.ts'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fireEvent, screen, within } from '@testing-library/react'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { storeMedia } from '#api/features/media/store-service.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

const folder = mkdtempSync(join(tmpdir(), 'alliance-podcast-place-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let browser: Browser
beforeEach(async () => {
  world = startWorld({ env: { DATA_DIR: folder } })
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
})
afterEach(() => browser.close())

/** Two frames of an MP3; a file, since the test window's own Blob is none of the server's. */
function mp3() {
  const path = join(folder, 'sound.mp3')
  writeFileSync(
    path,
    Uint8Array.from({ length: 834 }, (_, at) => [0xff, 0xfb, 0x90, 0x00][at % 417] ?? 0),
  )
  return Bun.file(path)
}
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const type = (label: RegExp, value: string) => fireEvent.input(screen.getByLabelText(label), { target: { value } })

test('an episode is added out of the library, what was typed outlives a lost signal, and another owner’s change stands beside it', async () => {
  const { id } = await storeMedia(world.ctx, mp3(), { name: 'pricing.mp3', isPublic: true })
  await storeMedia(world.ctx, mp3(), { name: 'private.mp3', isPublic: false })
  await browser.open('/admin/podcast')
  await screen.findByText('No episodes yet')
  await press('New episode')
  await screen.findByRole('option', { name: 'pricing.mp3' })
  expect(screen.queryByRole('option', { name: 'private.mp3' })).toBeNull()
  type(/^Title/, 'Charging what it costs')
  await press('Add the episode')
  await screen.findByText('Please choose the sound.')
  fireEvent.change(screen.getByLabelText(/^Sound/), { target: { value: id } })
  type(/^Length/, '24:30')
  type(/^Summary/, 'Add up the van.')
  fireEvent.click(screen.getByLabelText('Published: everybody can hear it'))
  browser.setSignal(false)
  await press('Add the episode')
  await screen.findByText(/No signal/)
  browser.setSignal(true)
  await press('Add the episode')
  await screen.findByText('24:30')
  expect(rowsOf(world, 'podcast_episodes')).toMatchObject([{ seconds: 1470, mediaId: id, isPublished: 1 }])

  await press('Edit Charging what it costs')
  type(/^Summary/, 'Mine.')
  world.ctx.sqlite.exec(`update podcast_episodes set summary = 'Theirs.', version = 2`)
  await press('Save the episode')
  const both = within(await screen.findByRole('table', { name: 'What is different' }))
  expect(both.getByRole('row', { name: 'Summary Mine. Theirs.' })).toBeTruthy()
  await press('Save mine')
  await screen.findByText('Mine.')

  await press('Delete Charging what it costs')
  await press('Delete episode')
  await screen.findByText('No episodes yet')
  expect(rowsOf(world, 'podcast_episodes')).toEqual([])
})
