import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
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
/** The editor can’t hold a figure, so the post opens as HTML, and jsdom can type into that. */
const add = async (body: object = {}): Promise<AdminPost> => (await other(at, { body: { ...vans, ...body } })).json()
const stored = async (): Promise<AdminPost[]> => (await other(at)).json()
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const field = (label: RegExp) => screen.findByLabelText(label)
const type = async (label: RegExp, value: string) => fireEvent.input(await field(label), { target: { value } })
const typedIn = async (label: RegExp) => {
  const found = await field(label)
  return found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement ? found.value : null
}
const writeAsHtml = async (html: string) => {
  await press('Write as HTML')
  await type(/^Content as HTML/, html)
}

/** As browsers do: an input, then a change. */
function publish(when: 'draft' | 'now' | 'time') {
  const choice = screen.getByLabelText('Publish')
  fireEvent.input(choice, { target: { value: when } })
  fireEvent.change(choice, { target: { value: when } })
}

test('EMSG-32 ADMN-20 an empty list says so; a new post is made step by step and stands in it as a draft', async () => {
  const page = await browser.open('/admin/blog')
  await screen.findByText('No blog posts yet')
  fireEvent.click(screen.getByRole('link', { name: 'New post' }))
  await screen.findByRole('form', { name: 'Blog post' })
  expect(page.address()).toBe('/admin/blog?post=new')
  await type(/^Title/, 'Which van, & why?')
  await screen.findByText('Web address: /blog/which-van-why')
  await writeAsHtml('<p>A long one.</p>')
  await screen.findByText('Only owners can see a draft.')
  publish('now')
  await screen.findByText('Readers see it straight away.')
  screen.getByRole('button', { name: 'Publish now' })
  // One choice, and the button says which.
  publish('time')
  await type(/^Published on/, '1/7/2099 9:00')
  await screen.findByRole('button', { name: 'Schedule for 1 July 2099, 09:00' })
  publish('draft')
  await press('Save draft')
  await screen.findByText('Which van, & why?: a draft, which only owners see')
  const row = await screen.findByRole('row', { name: /Which van, & why\?/ })
  within(row).getByText('Draft')
  expect([page.address(), await stored()]).toMatchObject([
    '/admin/blog',
    [{ slug: 'which-van-why', author: 'The coaches', isPublished: false }],
  ])
})

test('CONST-10 back from saving a new post, the list has it straight away', { tags: ['full'] }, async () => {
  await add()
  const page = await browser.open('/admin/blog')
  await screen.findByRole('row', { name: /Which van/ })
  fireEvent.click(screen.getByRole('link', { name: 'New post' }))
  await type(/^Title/, 'Second hand')
  await writeAsHtml('<p>Look under it.</p>')
  publish('now')
  await press('Publish now')
  await screen.findByText('Post published')
  const row = within(await screen.findByRole('row', { name: /Second hand/ }))
  fireEvent.click(row.getByRole('button', { name: 'More for Second hand' }))
  expect(screen.getByRole('link', { name: 'View on the site' }).getAttribute('href')).toBe('/blog/second-hand')
  expect(screen.queryByText('The list has changed')).toBeNull()
  await press('View')
  await waitFor(() => expect(page.address()).toBe('/blog/second-hand'))
})

test('EMSG-51 EMSG-52 EMSG-53 BLOG-8 what is missing is said, and nothing is sent; a taken slug is said by the server', async () => {
  await add()
  await browser.open('/admin/blog?post=new')
  await press('Save draft')
  for (const message of ['Title is required', 'Slug is required', 'Content is required'])
    await screen.findByText(message)
  expect(browser.network.sent.filter(({ path, body }) => path === at && body)).toEqual([])
  await type(/^Title/, 'Which van')
  await writeAsHtml('<p>Another</p>')
  await press('Save draft')
  await screen.findByText('Another post has this slug.')
})

test('BLOG-9 BLOG-10 BLOG-11 the slug follows the title of a new post until it is written by hand, and never of an old one', async () => {
  await browser.open('/admin/blog?post=new')
  await type(/^Title/, 'One')
  await press('Change the address')
  await type(/^Slug/, 'my-own')
  await type(/^Title/, 'One and two')
  expect(await typedIn(/^Slug/)).toBe('my-own')
  const { id } = await add({ author: 'Olive' })
  await browser.open(`/admin/blog?post=${id}`)
  await type(/^Title/, 'Another title')
  await type(/^Author/, '')
  publish('time')
  await type(/^Published on/, '1/7/2026 9:00')
  expect(await typedIn(/^Slug/)).toBe('which-van')
  await press(/^(Save|Schedule)/)
  await screen.findByRole('row', { name: /Another title/ })
  expect(await stored()).toMatchObject([{ title: 'Another title', slug: 'which-van', author: 'The coaches' }])
  expect(await stored()).toMatchObject([{ publishedAt: '2026-07-01T08:00:00.000Z' }])
})

test('EMSG-19 EMSG-20 EMSG-21 a failure says so; what is typed outlives a lost signal, a closed tab and comes back', {
  tags: ['full'],
}, async () => {
  const { id } = await add()
  await browser.open('/admin/blog?post=new')
  await type(/^Title/, 'Half a thought')
  await screen.findByText(/^Not saved yet\. Kept on this device at \d\d:\d\d\.$/)
  await writeAsHtml('<p>Half</p>')
  browser.setSignal(false)
  await press('Save draft')
  await screen.findByText('No signal. Try again when you’re back in range.')
  browser.setSignal(true)
  await browser.open('/admin/blog?post=new')
  await screen.findByText('We’ve kept what you typed')
  expect([await typedIn(/^Title/), await typedIn(/^Content as HTML/)]).toEqual(['Half a thought', '<p>Half</p>'])
  browser.setDelivery(at, { status: 500, body: {} })
  await press('Save draft')
  await screen.findByText('Failed to create blog post')
  await press('Discard')
  await browser.open('/admin/blog?post=new')
  expect(await typedIn(/^Title/)).toBe('')
  await browser.open(`/admin/blog?post=${id}`)
  await type(/^Title/, 'Changed')
  browser.setDelivery(`${at}/${id}`, { status: 500, body: {} })
  await press(/^(Save|Schedule)/)
  await screen.findByText('Failed to update blog post')
  await browser.open('/admin/blog')
  await press('More for Which van?')
  await press('Delete: Which van?')
  browser.setDelivery(`${at}/${id}?version=1`, { status: 500, body: {} })
  const dialog = await screen.findByRole('dialog', { name: 'Delete “Which van?”?' })
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete blog post' }))
  await screen.findByText('Failed to delete blog post')
  browser.setDelivery(`${at}/${id}?version=1`, 'deliver')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Delete blog post' }))
  await screen.findByText('No blog posts yet')
})

test('CALLS-30 a post that the other owner has changed meanwhile: both stand there, and one is chosen', {
  tags: ['full'],
}, async () => {
  const { id } = await add()
  await browser.open(`/admin/blog?post=${id}`)
  await type(/^Title/, 'Mine')
  await other(`${at}/${id}`, {
    method: 'PATCH',
    body: { title: 'Theirs', featuredImage: '/pictures/van.webp', version: 1 },
  })
  await press(/^(Save|Schedule)/)
  await screen.findByRole('row', { name: 'Title Mine Theirs' })
  // Its address would say nothing.
  within(screen.getByRole('row', { name: 'Picture None Theirs' })).getByRole('img', { name: 'Theirs' })
  await press('Take theirs')
  expect(await typedIn(/^Title/)).toBe('Theirs')
  await type(/^Title/, 'Mine after all')
  await other(`${at}/${id}`, { method: 'PATCH', body: { title: 'Theirs again', version: 2 } })
  await press(/^(Save|Schedule)/)
  await press('Save mine')
  await screen.findByRole('row', { name: /Mine after all/ })
  expect(await stored()).toMatchObject([{ title: 'Mine after all', version: 4 }])
})

test('BLOG-5 the preview shows what readers would get, and runs nothing; tables are written as HTML', {
  tags: ['full'],
}, async () => {
  const { id } = await add({ content: '<table><tbody><tr><td>1</td></tr></tbody></table>' })
  await browser.open(`/admin/blog?post=${id}`)
  await screen.findByText('Stay in HTML: the editor would lose your tables and figures.')
  await type(/^Title/, '<img src=x onerror=alert(1)>')
  await type(
    /^Content as HTML/,
    '<h1>A</h1><script>alert(1)</script><p onclick="x()">b<img src=x onerror=alert(1)></p>',
  )
  await press('Preview')
  const dialog = await screen.findByRole('dialog', { name: 'Preview' })
  await within(dialog).findByRole('heading', { level: 2, name: 'A' })
  within(dialog).getByRole('heading', { level: 1, name: '<img src=x onerror=alert(1)>' })
  expect(dialog.querySelector('img, script, [onclick]')).toBeNull()
  expect(dialog.querySelector('.prose')?.innerHTML).toBe('<h2>A</h2><p>b</p>')
})

test('EMSG-20 what was typed into a post comes back without signal too, and is saved once there is signal', {
  tags: ['full'],
}, async () => {
  const { id } = await add()
  await browser.open(`/admin/blog?post=${id}`)
  await type(/^Title/, 'Changed in a van')
  browser.setSignal(false)
  await browser.open(`/admin/blog?post=${id}`)
  expect([await typedIn(/^Title/), await typedIn(/^Content as HTML/)]).toEqual(['Changed in a van', vans.content])
  await screen.findByText('You’ll need signal to make changes.')
  browser.setSignal(true)
  await press(/^(Save|Schedule)/)
  await screen.findByRole('row', { name: /Changed in a van/ })
  expect(await stored()).toMatchObject([{ id, title: 'Changed in a van', slug: 'which-van', version: 2 }])
})
