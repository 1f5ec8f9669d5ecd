import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { contentOf } from '#api/site/content.ts'
import { type Call, startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'

let world: World
let browser: Browser
let owner: Call
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  const person = world.addOwner()
  owner = world.signIn(person)
  browser.signIn(person)
})
afterEach(() => browser.close())

const about = () => contentOf(world.ctx).read().pages.about
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))
const field = (name: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name })
const type = async (name: string, value: string) => fireEvent.change(await field(name), { target: { value } })
const kept = () => screen.findByText(/in your draft, saved at/)
const draft = async (page = 'about') => (await (await owner(`/api/admin/content/${page}/draft`)).json()).draft
const unfold = async (name: string) => {
  const heading = await screen.findByRole('heading', { name })
  const part = heading.closest('details')
  if (part) {
    part.open = true
    fireEvent(part, new Event('toggle'))
  }
}

test('words are written, kept as a draft, compared and published; the history brings them back', {
  tags: ['full'],
}, async () => {
  const before = about().heading
  await browser.open('/admin/words')
  const pages = within(await screen.findByRole('region', { name: 'Pages' }))
  fireEvent.click(pages.getByRole('link', { name: 'About' }))
  await type('Heading', 'Who we are now')
  await kept()
  expect([about().heading, (await draft()).entries]).toEqual([before, { heading: 'Who we are now' }])
  const iframe = screen.getByTitle<HTMLIFrameElement>('The page with your draft')
  expect(iframe.getAttribute('src')).toMatch(/^\/about\?preview=\S+&edition=\d+$/)
  press('Publish…')
  const dialog = within(screen.getByRole('dialog'))
  expect(
    dialog
      .getAllByText(/\S/, { selector: 'ins' })
      .map(({ textContent }) => textContent)
      .join(''),
  ).toContain('now')
  fireEvent.click(dialog.getByRole('button', { name: 'Publish 1 change' }))
  await screen.findByText('Published')
  expect(about().heading).toBe('Who we are now')
  await screen.findByText('Same as the live site.')
  press('History')
  fireEvent.click(await screen.findByRole('button', { name: 'Undo this change' }))
  expect((await field('Heading')).value).toBe(before)
  await kept()
  expect(about().heading).toBe('Who we are now')
})

test('a text that takes the brand’s says what it reads as, and where that’s changed', { tags: ['full'] }, async () => {
  const { brand } = contentOf(world.ctx).read().site
  await browser.open('/admin/words?page=home')
  await unfold('In search results')
  await type('Description', 'Coaching by {brand.name}.')
  await screen.findByText(new RegExp(`For {brand.name} we write “${brand.name}”. Change that under Brand › Name\\.`))
})

test('what’s on the page comes first, and what’s only in search results is folded away last', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/words?page=about')
  expect((await field('Heading')).value).toBe(about().heading)
  expect(screen.queryByRole('textbox', { name: 'Title' })).toBeNull()
  expect(screen.getAllByRole('heading', { level: 3 }).at(-1)?.textContent).toBe('In search results')
  await unfold('In search results')
  await type('Title', 'Who runs this')
  await kept()
  expect((await draft()).entries).toEqual({ title: 'Who runs this' })
})

test('what does not fit is said at its field and at its part, and is not published', { tags: ['full'] }, async () => {
  await browser.open('/admin/words?page=about')
  await type('Heading', ' ')
  expect((await screen.findByText('must not be empty')).closest('div')?.parentElement?.textContent).toContain('Heading')
  press('Publish…')
  const dialog = within(screen.getByRole('dialog'))
  expect(dialog.getByRole('alert').textContent).toContain('Heading: must not be empty')
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Publish 1 change' }).disabled).toBe(true)
})

test('a list takes new items, moves them and lets them go, within what the page has room for', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/words?page=about')
  await unfold('Approach')
  const titles = about().approach.steps.map(({ title }) => title)
  press(new RegExp(`^Down: Steps 1, ${titles[0]}`))
  press('Add to Steps')
  const added = (await screen.findAllByRole('textbox', { name: 'Title' })).at(-1)
  if (added) fireEvent.change(added, { target: { value: 'Rest' } })
  await kept()
  const steps: { title: string }[] = (await draft()).entries['approach.steps']
  expect(steps.map(({ title }) => title)).toEqual([titles[1], titles[0], ...titles.slice(2), 'Rest'])
  press(/^Remove: Steps .*, Rest$/)
  press(new RegExp(`^Up: Steps 2, ${titles[0]}`))
  // Back to the live text, so there’s no draft to keep.
  await screen.findByText('Same as the live site.')
  await browser.open('/admin/words?page=home&part=hero')
  await screen.findByText('2 to 4 entries.')
  const promises = () => screen.getAllByRole<HTMLButtonElement>('button', { name: /^Remove: Lines/ })
  press('Add to Lines')
  expect([promises().length, screen.queryByRole('button', { name: 'Add to Lines' })]).toEqual([4, null])
  for (const left of [3, 2]) {
    fireEvent.click(promises()[0] ?? document.body)
    expect(promises().map(({ disabled, textContent }) => [disabled, textContent])).toEqual(
      Array(left).fill([left === 2, 'Remove']),
    )
  }
})

test('without signal every key is kept on this device, comes back after a reload, and reaches the draft with the signal', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/words?page=about')
  await field('Heading')
  browser.setSignal(false)
  await type('Heading', 'Written in the van')
  await screen.findByText(/saved on this device only/)
  browser.setSignal(true)
  await browser.open('/admin/words?page=about')
  expect((await field('Heading')).value).toBe('Written in the van')
  await kept()
  expect((await draft()).entries).toEqual({ heading: 'Written in the van' })
})

test('what the other owner publishes meanwhile goes below; what both have changed is chosen', {
  tags: ['full'],
}, async () => {
  const other = world.signIn(world.addOwner())
  const publish = (entries: object, version: number) =>
    other('/api/admin/content/about/publish', { body: { version, entries } })
  await browser.open('/admin/words?page=about')
  await type('Heading', 'Mine')
  await type('Line below the heading', 'My lead')
  await kept()
  const state = await (await publish({ heading: 'Theirs', title: 'Their title' }, 0)).json()
  press('Publish…')
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Publish 2 changes' }))
  const both = within(await screen.findByRole('table', { name: 'What’s different' }))
  expect(both.getByRole('row', { name: 'Heading Mine Theirs' })).toBeTruthy()
  await unfold('In search results')
  expect([about().heading, (await field('Title')).value]).toEqual(['Theirs', 'Their title'])
  press('Take theirs')
  expect((await field('Heading')).value).toBe('Theirs')
  await kept()
  press('Publish…')
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Publish 1 change' }))
  await screen.findByText('Published')
  expect(about()).toMatchObject({ heading: 'Theirs', lead: 'My lead', title: 'Their title' })
  expect(state.version).toBeGreaterThan(0)
})

test('a draft is dropped, and its link names when it ends', { tags: ['full'] }, async () => {
  await browser.open('/admin/words?page=about')
  await type('Heading', 'Mine')
  await kept()
  press('Preview link')
  const address = screen.getByLabelText<HTMLInputElement>('Address').value
  expect(address).toMatch(/^http:\/\/localhost:3000\/about\?preview=/)
  fireEvent.click(within(screen.getByRole('dialog')).getByLabelText('Close'))
  press('Discard draft')
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Discard 1 change' }))
  await screen.findByText('Same as the live site.')
  await waitFor(async () => expect(await draft()).toBeNull())
  expect((await field('Heading')).value).toBe(about().heading)
})

test('colours say straight away whether they can be read, and a claim is taken for the owners’ own', {
  tags: ['full'],
}, async () => {
  await browser.open('/admin/words?page=site&part=brand')
  await type('Accent', '#102a5c')
  await screen.findByText(/#102a5c won’t do for/)
  await browser.open('/admin/words?page=site&part=claims')
  const [mark] = await screen.findAllByLabelText<HTMLInputElement>(/^Still a sample/)
  if (mark) fireEvent.click(mark)
  await kept()
  await waitFor(async () => expect((await draft('site')).entries['claims.coached'].isSample).toBeUndefined())
})
