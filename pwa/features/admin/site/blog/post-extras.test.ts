import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rowsOf } from '#api/testing/enquiries.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import type { AdminPost } from '#shared/contract/admin-post.ts'

let world: World
let browser: Browser
let other: Call
beforeEach(() => {
  world = startWorld()
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
const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }))
const choose = (label: string, ...files: File[]) =>
  fireEvent.change(screen.getByLabelText(label), { target: { files } })

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

test('a folder of Markdown is shown file by file; with a wrong file nothing is made, without it all are', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/blog')
  await press('Import Markdown')
  const good = new File(['# Good one\n\nText.'], 'good.md')
  choose('Markdown files', good, new File(['Nothing'], 'bad.md'), new File(['x'], 'picture.png'))
  await screen.findByText('1 file can’t be imported')
  expect(screen.getByText(/It has no title/)).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Import posts' })).toHaveProperty('disabled', true)
  choose('Markdown files', good)
  await press('Import 1 post')
  await screen.findByText('1 post imported')
  await screen.findByRole('link', { name: 'Good one' })
  expect(rowsOf(world, 'blog_posts')).toMatchObject([{ slug: 'good', isPublished: 0 }])
})

test('a picture that is none is refused where it was chosen; its field can be typed in all the same', {
  tags: ['full'],
}, async () => {
  const { id } = await add()
  await browser.open(`/admin/blog?post=${id}`)
  await screen.findByLabelText(/^Picture for sharing/)
  choose('Upload one for sharing: file', new File(['no picture'], 'notes.txt'))
  await screen.findByText(/We can’t read this picture/)
  fireEvent.input(screen.getByLabelText(/^Picture for sharing/), { target: { value: '/pictures/van.png' } })
  await press('Save post')
  await waitFor(() => expect(rowsOf(world, 'blog_posts')[0]).toMatchObject({ shareImage: '/pictures/van.png' }))
})
