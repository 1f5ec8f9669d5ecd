import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { addWithPassword } from '#api/testing/passwords.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { maxPhotoBytes } from '#shared/contract/photo.ts'

let world: World
let browser: Browser
let danny: TestPerson
beforeEach(() => {
  world = startWorld()
  browser = createBrowser(world)
  danny = addWithPassword(world, { email: 'danny@example.com', firstName: 'Danny', lastName: 'Marsh' })
})
afterEach(() => browser.close())

const open = async () => {
  browser.signIn(danny)
  const page = await browser.open('/members?tab=profile')
  await screen.findByRole('button', { name: /^(Add a photo|Change photo)/ })
  return page
}
const picture = () =>
  sharp({ create: { width: 60, height: 40, channels: 3, background: '#aa2211' } })
    .jpeg()
    .toBuffer()
const choose = (content: Uint8Array) =>
  fireEvent.change(screen.getByLabelText('Your photo'), {
    target: { files: [new File([new Uint8Array(content)], 'me.jpg', { type: 'image/jpeg' })] },
  })
const shown = () => screen.queryByRole('img', { name: 'You' })?.getAttribute('src') ?? null
const requests = () => browser.network.sent.filter(({ path }) => path.startsWith('/api/photos/')).length

async function stored(): Promise<string> {
  const names = (await indexedDB.databases()).map(({ name }) => name ?? '')
  const all = await Promise.all(
    names.map(
      (name) =>
        new Promise<unknown[]>((resolve, reject) => {
          const opening = indexedDB.open(name)
          opening.onerror = () => reject(opening.error)
          opening.onsuccess = () => {
            const database = opening.result
            const tables = [...database.objectStoreNames]
            if (tables.length === 0) return resolve([])
            const reading = database.transaction(tables)
            const rows = tables.map((table) => reading.objectStore(table).getAll())
            reading.oncomplete = () => {
              database.close()
              resolve(rows.map(({ result }) => result))
            }
          }
        }),
    ),
  )
  return JSON.stringify(all)
}

test('a photo is added, shown again from the phone without signal, and taken away', { tags: ['full'] }, async () => {
  const page = await open()
  choose(await picture())
  await screen.findByText('Photo saved')
  await waitFor(() => expect(shown()).toMatch(/^data:image\/webp;base64,/))
  const [first, asked] = [shown(), requests()]
  await page.close()
  browser.setSignal(false)
  await open()
  await waitFor(() => expect(shown()).toBe(first))
  expect([requests(), screen.queryByRole('button', { name: 'Remove photo' })]).toEqual([asked, null])
  browser.setSignal(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Remove photo' }))
  await screen.findByText('Photo removed')
  await screen.findByRole('button', { name: 'Add a photo' })
  await waitFor(async () => expect(await stored()).not.toContain('data:image'))
  expect(shown()).toBeNull()
})

test('a photo that cannot be taken is refused with what to do, and nothing changes', { tags: ['full'] }, async () => {
  await open()
  choose(Buffer.from('no picture'))
  await screen.findByText('We can’t read this picture. Use a JPEG, PNG or WebP.')
  choose(new Uint8Array(maxPhotoBytes + 1))
  await screen.findByText(/^That picture’s too big\./)
  expect(browser.network.sent.filter(({ path }) => path === '/api/user/photo')).toHaveLength(1)
  expect(screen.getByRole('button', { name: 'Add a photo' })).toBeTruthy()
})

test('nothing of the photo is on a shared phone after the logout, also without signal', {
  tags: ['full'],
}, async () => {
  await open()
  choose(await picture())
  await waitFor(() => expect(shown()).not.toBeNull())
  expect(await stored()).toContain('data:image')
  browser.setSignal(false)
  fireEvent.click(screen.getByRole('link', { name: 'Logout' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Log out' }))
  // The databases are only looked into once it's done: opening one while it's deleted would get in its way.
  await screen.findByText('Logged out')
  expect(await stored()).not.toContain('data:image')
})
