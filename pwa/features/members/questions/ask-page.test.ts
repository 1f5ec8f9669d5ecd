import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { addQuestionRows } from '#api/testing/question-rows.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { readShared, storeShared } from '#pwa/lib/shared-cache.ts'
import { tellStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { createPhone } from '#pwa/sync/testing/phone.ts'
import { withQuestions } from '#pwa/sync/testing/questions.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { QuestionList } from '#shared/contract/questions.ts'

let world: World
let browser: Browser

beforeEach(() => {
  world = startWorld()
  world.addVideos()
  browser = createBrowser(world)
})

afterEach(async () => {
  await browser.close()
  for (const name of ['caches', 'Worker']) Reflect.deleteProperty(globalThis, name)
  vi.restoreAllMocks()
})

const type = async (text: string) =>
  fireEvent.change(await screen.findByLabelText(/What’s your question|What do you want to know/), {
    target: { value: text },
  })
const send = () => fireEvent.click(screen.getByRole('button', { name: 'Send' }))

async function questionsOf(member: ReturnType<World['addMember']>) {
  const response = await world.signIn(member)('/api/members/questions')
  return v.parse(QuestionList, await response.json()).questions
}

test('a question is asked without signal, says where it is, and goes once there’s signal; its answer is read', async () => {
  const member = world.addMember()
  browser.signIn(member)
  await browser.open('/members/ask')
  await type('   ')
  browser.setSignal(false)
  send()
  await screen.findByText('Write something, add a photo or record a voice note.')
  await type('Which valve do I need?')
  send()
  await screen.findByText('Saved on this phone')
  expect(screen.getAllByText(/We’ll send it when you’re back in range|We’re about to send it/).length).toBeGreaterThan(
    0,
  )
  expect(await questionsOf(member)).toEqual([])
  browser.setSignal(true)
  await waitFor(async () =>
    expect((await questionsOf(member)).map(({ messages }) => messages[0]?.text)).toEqual(['Which valve do I need?']),
  )
  await screen.findAllByText('Sent')

  const [asked] = await questionsOf(member)
  const owner = world.signIn(world.addOwner())
  const body = { id: world.ctx.newId(), text: 'A 15 mm one.', version: asked?.version }
  expect((await owner(`/api/admin/questions/${asked?.id}/answers`, { body })).status).toBe(200)
  const page = await browser.open('/members/questions')
  fireEvent.click(await screen.findByRole('link', { name: 'Which valve do I need?' }), { button: 0 })
  await screen.findByText('A 15 mm one.')
  expect(page.address()).toBe(`/members/questions/${asked?.id}`)
  await waitFor(async () => expect((await questionsOf(member))[0]?.isUnread).toBe(false))
  expect(screen.queryByRole('button', { name: 'Withdraw this question' })).toBeNull()

  fireEvent.click(screen.getByRole('button', { name: 'Reply' }))
  fireEvent.change(await screen.findByLabelText(/Your reply/), { target: { value: 'And which side?' } })
  fireEvent.click(screen.getByRole('button', { name: 'Send reply' }))
  await waitFor(() => expect(document.activeElement?.textContent).toContain('And which side?'))
})

test('what’s typed stays when the page is left, and what it’s about can be removed', async () => {
  browser.signIn(world.addMember())
  const video = String(world.ctx.sqlite.prepare('select id from member_videos order by id limit 1').pluck().get())
  await browser.open(`/members/ask?video=${video}&at=75`)
  await screen.findByText(/, at 1:15/)
  await type('Is this the one?')
  await browser.open(`/members/ask?video=${video}&at=75`)
  await waitFor(() =>
    expect(screen.getByLabelText(/What do you want to know/)).toHaveProperty('value', 'Is this the one?'),
  )
  fireEvent.click(screen.getByRole('button', { name: 'It’s about something else' }))
  await screen.findByText(/Ask about anything/)
  expect(screen.getByLabelText(/What’s your question/)).toHaveProperty('value', 'Is this the one?')
  await browser.open('/members/questions')
  await screen.findByRole('link', { name: 'Is this the one?' })
})

test('a text of 4,001 characters isn’t sent, and says by how much it’s too long', async () => {
  browser.signIn(world.addMember())
  await browser.open('/members/ask')
  await type('a'.repeat(3_700))
  await screen.findByText('300 characters left.')
  await type('a'.repeat(4_001))
  await screen.findByText(/That’s 1 character too many/)
  send()
  await screen.findByText('Shorten your text by 1 character.')
})

test('a question that isn’t answered is withdrawn after one more press', async () => {
  const member = world.addMember()
  browser.signIn(member)
  await browser.open('/members/ask')
  await type('Never mind')
  send()
  await screen.findByText('Saved on this phone').catch(() => null)
  await waitFor(async () => expect(await questionsOf(member)).toHaveLength(1))
  fireEvent.click(screen.getByRole('button', { name: 'Withdraw this question' }))
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw it' }))
  await screen.findByText('You’ve withdrawn this question')
  await waitFor(async () => expect((await questionsOf(member))[0]?.state).toBe('withdrawn'))
})

test('a photo that isn’t here says why: no signal, or that we couldn’t get it', async () => {
  const member = world.addMember()
  const videoId = String(world.ctx.sqlite.prepare('select id from member_videos limit 1').pluck().get())
  const asked = addQuestionRows(world.ctx, { userId: member.id, videoId })
  const id = world.ctx.sqlite.prepare('select id from question_files').pluck().get()
  browser.signIn(member)
  await browser.open('/members/questions')
  await screen.findByRole('link', { name: /What would you charge/ })
  for (const [delivery, says] of [
    [{ status: 404, body: '' }, 'We couldn’t get this photo. Open this question again in a minute.'],
    ['lose-request', 'You need signal for this photo.'],
  ] as const) {
    browser.setDelivery(`/api/members/question-files/${id}/content?form=served`, delivery)
    browser.setSignal(delivery !== 'lose-request')
    await browser.open(`/members/questions/${asked}`)
    await screen.findByText(says)
  }
  browser.setSignal(true)
})

/** The browser's own cache, which this window lacks. */
function giveCaches(): void {
  const stored = new Map<string, Response>()
  const addressOf = (which: string | Request) => (typeof which === 'string' ? which : which.url)
  const cache = {
    put: async (path: string, response: Response) => void stored.set(path, response),
    match: async (which: string | Request) => stored.get(addressOf(which))?.clone(),
    keys: async () => [...stored.keys()].map((url) => ({ url })),
    delete: async (which: string | Request) => stored.delete(addressOf(which)),
  }
  const forget = async () => {
    stored.clear()
    return true
  }
  const [open, has, keys] = [async () => cache, async () => stored.size > 0, async () => []]
  Object.assign(globalThis, { caches: { open, has, keys, delete: forget } })
}

/** This window has no workers either. One photo may never be done, as when its page is left meanwhile, and one can't be read. */
function giveWorkers(by: { held?: string; broken?: string } = {}): void {
  function openWorker() {
    let answer: (event: { data: unknown }) => void = () => {}
    return {
      addEventListener: (type: string, listener: typeof answer) => {
        if (type === 'message') answer = listener
      },
      postMessage: ({ file: { name } }: { file: File }) => {
        const blob = new Blob([name], { type: 'image/jpeg' })
        if (name !== by.held)
          answer({ data: name === by.broken ? { failure: 'broken' } : { blob, width: 4, height: 3 } })
      },
      terminate: () => {},
    }
  }
  Object.assign(globalThis, { Worker: openWorker })
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:photo')
  vi.spyOn(URL, 'revokeObjectURL').mockReturnValue()
}

/** Written out: this window's form data loses a file's name. */
async function share(id: string, text: string, photos: readonly string[] = []) {
  const parts = [
    `name="text"\r\n\r\n${text}`,
    ...photos.map((name) => `name="photos"; filename="${name}"\r\nContent-Type: image/jpeg\r\n\r\n${name}`),
  ]
  const body = `${parts.map((part) => `--part\r\nContent-Disposition: form-data; ${part}\r\n`).join('')}--part--`
  const headers = { 'content-type': 'multipart/form-data; boundary=part' }
  await storeShared(id, new Request('http://localhost/members/share', { method: 'POST', body, headers }))
}

test('what another app shares begins a question, and waits here until all of it is kept', async () => {
  giveCaches()
  browser.signIn(world.addMember())
  await share('one', 'Look at this boiler')
  // A page that was left before it had kept all finds it again.
  for (const _ of ['first', 'again']) expect((await readShared('one'))?.text).toBe('Look at this boiler')
  await browser.open('/members/ask?share=one')
  await waitFor(() =>
    expect(screen.getByLabelText(/What’s your question/)).toHaveProperty('value', 'Look at this boiler'),
  )
  await waitFor(async () => expect(await readShared('one')).toBeNull())
})

test('what’s shared while the page of an earlier one is still at it takes nothing of that', async () => {
  giveCaches()
  browser.signIn(world.addMember())
  await share('one', 'Look at this boiler')
  await share('two', 'And at this tank')
  await browser.open('/members/ask?share=two')
  await waitFor(() => expect(screen.getByLabelText(/What’s your question/)).toHaveProperty('value', 'And at this tank'))
  await waitFor(async () => expect([await readShared('one'), await readShared('two')]).toEqual([null, null]))
  await browser.open('/members/questions')
  for (const name of ['Look at this boiler', 'And at this tank']) await screen.findByRole('link', { name })
})

const photosShown = () => screen.queryAllByRole('button', { name: /^Remove photo/ }).length
const isWhole = (id: string) => waitFor(async () => expect(await readShared(id)).toBeNull())

/** The page is left while the second of three photos is made small. */
async function leaveInTheMiddle(by: { broken?: string; shown: number }) {
  giveCaches()
  giveWorkers({ held: 'two.jpg', ...by })
  const member = world.addMember()
  browser.signIn(member)
  await share('one', 'Look at this boiler', ['one.jpg', 'two.jpg', 'three.jpg'])
  await browser.open('/members/ask?share=one')
  await waitFor(() => expect(photosShown()).toBe(by.shown))
  if (by.broken) await screen.findByText(new RegExp(by.broken))
  giveWorkers(by)
  return member
}

test('a share whose page was left goes on where its draft is opened, and the question has every photo once', async () => {
  const member = await leaveInTheMiddle({ shown: 1 })
  await browser.open('/members/ask?draft=one')
  await waitFor(() => expect(photosShown()).toBe(3))
  await isWhole('one')
  send()
  await screen.findAllByText('Sent')
  await waitFor(async () => expect((await questionsOf(member))[0]?.messages[0]?.files).toHaveLength(3))
  await browser.open('/members/questions')
  await screen.findByRole('link', { name: 'Look at this boiler' })
  expect(screen.queryByRole('heading', { name: 'Not finished' })).toBeNull()
})

test('a photo that failed before the page was left isn’t counted as kept, and its reason is still said', async () => {
  await leaveInTheMiddle({ shown: 0, broken: 'one.jpg' })
  for (const address of ['/members/ask?share=one', '/members/ask?draft=one']) {
    await browser.open(address)
    await screen.findByText(/one\.jpg: we couldn’t open it/)
    await waitFor(() => expect(photosShown()).toBe(2))
    await isWhole('one')
  }
})

test('an unfinished share is taken on any page of questions, and shows there', async () => {
  giveCaches()
  giveWorkers()
  browser.signIn(world.addMember())
  await share('one', '', ['one.jpg', 'two.jpg'])
  await browser.open('/members/questions')
  await screen.findByRole('link', { name: '2 photos' })
  await isWhole('one')
  await share('two', 'And at this tank')
  await browser.open('/members/ask')
  await isWhole('two')
  expect(screen.getByLabelText(/What’s your question/)).toHaveProperty('value', '')
  await browser.open('/members/questions')
  await screen.findByRole('link', { name: 'And at this tank' })
})

test('a share whose question was sent or thrown away doesn’t become a draft again', async () => {
  giveCaches()
  const { questions, close } = withQuestions(await createPhone(world).openTab(world.addMember().id))
  for (const [id, end] of [
    ['sent', questions.ask],
    ['gone', questions.discardDraft],
  ] as const) {
    await share(id, 'Look at this boiler')
    await questions.changeDraft(id, { text: 'Look at this boiler' })
    await end(id)
    expect(await readShared(id)).toBeNull()
  }
  close()
})

test('MEMB-10 what was shared and not taken yet is named by the logout, and can be sent first', async () => {
  giveCaches()
  giveWorkers()
  const member = world.addMember()
  browser.signIn(member)
  await browser.open('/members')
  await screen.findByRole('link', { name: 'Logout' })
  await share('one', 'Look at this boiler', ['one.jpg'])
  fireEvent.click(screen.getByRole('link', { name: 'Logout' }))
  await screen.findByText('One question hasn’t been sent yet')
  screen.getByText('“Look at this boiler”, 1 photo')
  fireEvent.click(screen.getByRole('button', { name: /^Send/ }))
  await screen.findByText('Nothing’s left to send. You can log out now.')
  expect((await questionsOf(member)).map(({ messages }) => messages[0]?.text)).toEqual(['Look at this boiler'])
})

/** As a damaged profile does. */
function breakStorage(): () => void {
  const { open } = indexedDB
  indexedDB.open = () => {
    throw new DOMException('Internal error opening backing store', 'UnknownError')
  }
  return () => {
    indexedDB.open = open
    tellStorageTrouble(null)
  }
}

test('where the phone’s storage fails, a question that waits isn’t said to be safe on it', async () => {
  const mend = breakStorage()
  try {
    const member = world.addMember()
    browser.signIn(member)
    await browser.open('/members/ask')
    await type('Which valve do I need?')
    browser.setSignal(false)
    send()
    await screen.findAllByText(/This phone can’t save it, so keep this page open until it’s sent/)
    expect(document.body.textContent).not.toMatch(/safe on this phone|Saved on this phone/)
    browser.setSignal(true)
    await screen.findAllByText('Sent')
    expect((await questionsOf(member)).map(({ messages }) => messages[0]?.text)).toEqual(['Which valve do I need?'])
  } finally {
    mend()
  }
})

test('a question withdrawn before it was sent says that it’s gone, with the focus on that', async () => {
  browser.signIn(world.addMember())
  await browser.open('/members/ask')
  await type('Never mind')
  browser.setSignal(false)
  send()
  await screen.findByText('Saved on this phone')
  const button = screen.getByRole('button', { name: 'Withdraw this question' })
  button.focus()
  fireEvent.click(button)
  fireEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Withdraw it' }))
  await screen.findByText('This question’s been deleted')
  expect(document.activeElement?.textContent).toContain('This question’s been deleted')
})

test('a reply that was refused and is being mended is found again from the list', async () => {
  const member = world.addMember()
  browser.signIn(member)
  await browser.open('/members/ask')
  await type('Which valve do I need?')
  send()
  await screen.findAllByText('Sent')
  const [asked] = await questionsOf(member)
  fireEvent.click(screen.getByRole('button', { name: 'Add something' }))
  fireEvent.change(await screen.findByLabelText(/What do you want to add/), { target: { value: 'And this?' } })
  browser.setDelivery(`/api/members/questions/${asked?.id}/messages`, {
    status: 422,
    body: { error: { code: 'invalid', message: 'Say it in other words.' } },
  })
  send()
  fireEvent.click(await screen.findByRole('button', { name: 'Change it' }))
  await screen.findByRole('heading', { level: 1, name: 'Ask your coach' })
  await browser.open('/members/questions')
  fireEvent.click(await screen.findByRole('link', { name: 'And this?' }), { button: 0 })
  await waitFor(() => expect(screen.getByLabelText(/What do you want to add/)).toHaveProperty('value', 'And this?'))
})
