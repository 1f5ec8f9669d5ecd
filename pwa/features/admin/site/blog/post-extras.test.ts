import '#pwa/testing/window.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import sharp from 'sharp'
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest'
import { storeMedia } from '#api/features/media/store-service.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { AdminPost } from '#shared/contract/admin-post.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-posts-'))
afterAll(() => rmSync(folder, { recursive: true }))

let world: World
let browser: Browser
let other: Call
beforeEach(() => {
  world = startWorld({ env: { DATA_DIR: folder } })
  browser = createBrowser(world)
  const owner = world.addOwner()
  browser.signIn(owner)
  other = world.signIn(owner)
})
afterEach(() => browser.close())

const at = '/api/admin/blog'
const vans = {
  title: 'Which van?',
  slug: 'which-van',
  content: '<figure><figcaption>A long one.</figcaption></figure>',
}
const add = async (body: object = {}): Promise<AdminPost> => (await other(at, { body: { ...vans, ...body } })).json()
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))

test('an earlier version is looked at and brought back into the form', { tags: ['full'] }, async () => {
  const { id } = await add()
  await other(`${at}/${id}`, { method: 'PATCH', body: { title: 'Another title', version: 1 } })
  await browser.open(`/admin/blog?post=${id}`)
  expect(await screen.findByLabelText(/^Title/)).toHaveProperty('value', 'Another title')
  await press('View version 1')
  const look = await screen.findByRole('dialog', { name: /^Version 1/ })
  await within(look).findByText('A long one.')
  fireEvent.click(within(look).getByLabelText('Close'))
  await press('Restore version 1')
  await press('Restore')
  await screen.findByText('Version 1 restored')
  await waitFor(() => expect(screen.getByLabelText(/^Title/)).toHaveProperty('value', vans.title))
  expect(rowsOf(world, 'blog_posts')[0]).toMatchObject({ title: vans.title, version: 3 })
  await screen.findByRole('button', { name: 'Restore version 2' })
})

const addPicture = async (name: string) => {
  const path = join(folder, name)
  await sharp({ create: { width: 40, height: 30, channels: 3, background: '#aa2211' } })
    .png()
    .toFile(path)
  const { id } = await storeMedia(world.ctx, Bun.file(path), { name, isPublic: true })
  return `/media/${id}.png`
}
const takeFromLibrary = async (field: HTMLElement, name: string) => {
  fireEvent.click(within(field).getByRole('button', { name: 'From the library' }))
  fireEvent.click(await screen.findByRole('button', { name }))
}

test('a post’s picture and what it shows are one field: chosen from the library, described, saved, and taken away', async () => {
  const { id } = await add()
  const address = await addPicture('van.png')
  await browser.open(`/admin/blog?post=${id}`)
  const field = await screen.findByRole('group', { name: 'Picture' })
  expect(within(field).queryByLabelText('What it shows')).toBeNull()
  await takeFromLibrary(field, 'van.png')
  fireEvent.input(await within(field).findByLabelText('What it shows'), { target: { value: 'A van in the rain' } })
  expect(within(field).getByAltText('The picture chosen').getAttribute('src')).toBe(address)
  await press(/^(Save|Schedule)/)
  const stored = { featuredImage: address, featuredImageAlt: 'A van in the rain' }
  await waitFor(() => expect(rowsOf(world, 'blog_posts')[0]).toMatchObject(stored))
  await browser.open(`/admin/blog?post=${id}`)
  expect(await screen.findByLabelText('What it shows')).toHaveProperty('value', 'A van in the rain')
  await press('Remove the picture')
  await press(/^(Save|Schedule)/)
  await waitFor(() =>
    expect(rowsOf(world, 'blog_posts')[0]).toMatchObject({ featuredImage: null, featuredImageAlt: null }),
  )
})

test('a picture that is none is refused where it was dropped; another one for sharing is asked for by a press', {
  tags: ['full'],
}, async () => {
  const { id } = await add()
  const address = await addPicture('van.png')
  await browser.open(`/admin/blog?post=${id}`)
  const field = await screen.findByRole('group', { name: 'Picture' })
  fireEvent.drop(field, { dataTransfer: { files: [new File(['no picture'], 'notes.txt')] } })
  await within(field).findByText(/We can’t read this picture/)
  await press('Use another picture for sharing')
  await takeFromLibrary(screen.getByRole('group', { name: 'Picture for sharing' }), 'van.png')
  await press(/^(Save|Schedule)/)
  await waitFor(() => expect(rowsOf(world, 'blog_posts')[0]).toMatchObject({ shareImage: address }))
})
