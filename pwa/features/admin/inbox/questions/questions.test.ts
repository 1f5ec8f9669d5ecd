import '#pwa/testing/window.ts'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { parse } from 'valibot'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { insertRow } from '#api/db/insert.ts'
import { questionFiles, questionMessages, questions } from '#api/db/schema/questions.ts'
import { rowsOf } from '#api/testing/enquiries.ts'
import type { TestPerson } from '#api/testing/people.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import { type Browser, createBrowser } from '#pwa/testing/browser.tsx'
import { QuestionRecord } from '#shared/contract/questions.ts'

let world: World
let browser: Browser
let sam: TestPerson
beforeEach(() => {
  world = startWorld({ startsAt: new Date() })
  browser = createBrowser(world)
  browser.signIn(world.addOwner())
  sam = world.addMember({ firstName: 'Sam', lastName: 'Field', email: 'sam@example.com' })
})
afterEach(() => browser.close())

type Asked = Partial<typeof questions.$inferInsert> & { by?: TestPerson; text?: string }

function ask({ by = sam, text = 'How do I price a boiler swap?', ...more }: Asked = {}): string {
  const id = world.ctx.newId()
  const at = more.askedAt ?? world.ctx.now().toISOString()
  const times = { askedAt: at, countedAt: at, receivedAt: at, waitsSince: at, updatedAt: at }
  insertRow(world.ctx, questions, { id, userId: by.id, origin: 'header', ...times, ...more })
  insertRow(world.ctx, questionMessages, { id, questionId: id, author: 'member', text, at, receivedAt: at })
  return id
}

function attach(messageId: string, more: Partial<typeof questionFiles.$inferInsert> & { kind: 'photo' | 'voice' }) {
  const id = world.ctx.newId()
  const position = rowsOf(world, 'question_files').length
  insertRow(world.ctx, questionFiles, { id, messageId, position, bytes: 1000, sha256: '0'.repeat(64), ...more })
  return id
}

const row = (name: string) => screen.findByRole('row', { name: new RegExp(name) })
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole('button', { name }))
const type = async (label: string, value: string) =>
  fireEvent.change(await screen.findByLabelText(label), { target: { value } })
const opened = (id: string) => browser.open(`/admin/questions?entry=${id}`)
const answerOf = () => screen.getByLabelText<HTMLTextAreaElement>('Your answer')
const said = () => rowsOf(world, 'question_messages').filter(({ author }) => author === 'coach')

/** As the other owner, who has it open too. */
async function answerAsKim(id: string, text: string) {
  const kim = world.signIn(world.addUser({ isAdmin: true, firstName: 'Kim', email: 'kim@example.com' }))
  const record = parse(QuestionRecord, await (await kim(`/api/admin/questions/${id}`)).json())
  const body = { id: world.ctx.newId(), text, version: record.question.version }
  expect((await kim(`/api/admin/questions/${id}/answers`, { body })).status).toBe(200)
}

test('those that wait come first, with who, their tier, how long they wait and what is with it', async () => {
  const old = new Date(world.ctx.now().getTime() - 3 * 86_400_000).toISOString()
  const [video] = world.addVideos()
  const waiting = ask({ askedAt: old, videoId: video?.id ?? null, videoTitle: video?.title ?? '', seconds: 135 })
  attach(waiting, { kind: 'photo' })
  const kim = world.addMember({ firstName: 'Kelly', lastName: 'Byrne', email: 'kelly@example.com' })
  ask({ by: kim, text: 'Answered already', answeredAt: world.ctx.now().toISOString() })
  await browser.open('/admin/questions')
  const first = await row('Sam Field')
  expect(first.textContent).toContain('How do I price a boiler swap?')
  expect(first.textContent).toContain('1 photo, still coming')
  expect(first.textContent).toContain(`${video?.title}, at 2:15`)
  expect(within(first).getByText(/^Waiting/).className).toBe('badge badge--bad')
  expect(within(await row('Kelly Byrne')).getByText('Answered')).toBeTruthy()
  const names = screen
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent?.slice(0, 5))
  expect(names).toEqual(['Sam F', 'Kelly'])
  fireEvent.change(screen.getByRole('combobox', { name: 'Show' }), { target: { value: 'answered' } })
  await waitFor(() => expect(screen.queryByRole('row', { name: /Sam Field/ })).toBeNull())
})

test('a file that never came says who hears of it: the member, or the owners themselves', async () => {
  const at = world.ctx.now().toISOString()
  const [id, answerId] = [ask({ answeredAt: at }), world.ctx.newId()]
  insertRow(world.ctx, questionMessages, {
    id: answerId,
    questionId: id,
    author: 'coach',
    text: '',
    at,
    receivedAt: at,
  })
  attach(id, { kind: 'photo', refusal: 'This photo never arrived. Send it again.' })
  attach(answerId, { kind: 'voice', refusal: 'There’s nothing to hear in this voice note. Record it again.' })
  await opened(id)
  const thread = await screen.findByRole('list', { name: 'What was said' })
  expect(thread.textContent).toContain('Sam Field sees: “This photo never arrived. Send it again.”')
  expect(thread.textContent).toMatch(/A coach, [^.]*There’s nothing to hear in this voice note\. Record it again\.$/)
})

test('opening one shows the thread and what they asked before, and tells the server it was read', async () => {
  const before = ask({ text: 'My first question', answeredAt: world.ctx.now().toISOString() })
  const id = ask()
  const photo = attach(id, {
    kind: 'photo',
    readyAt: world.ctx.now().toISOString(),
    type: 'image/webp',
    width: 800,
    height: 600,
  })
  attach(id, { kind: 'photo', received: 400 })
  attach(id, { kind: 'voice' })
  await browser.open('/admin/questions')
  const proposal = { id: world.ctx.newId(), text: 'Put my day rate up', day: '2099-01-05' }
  const coach = world.signIn(world.addUser({ isAdmin: true, email: 'kim@example.com' }))
  expect((await coach(`/api/admin/members/${sam.id}/commitments`, { body: proposal })).status).toBe(200)
  const buttons = await screen.findAllByRole('button', { name: 'Open Sam Field’s question' })
  fireEvent.click(buttons[0] ?? document.body)
  const thread = await screen.findByRole('list', { name: 'What was said' })
  expect(thread.textContent).toContain('How do I price a boiler swap?')
  expect(thread.textContent).toContain('A photo is on its way: 40% is here.')
  expect(thread.textContent).toContain('A voice note is on its way.')
  const picture = within(thread).getByRole('button', { name: 'Sam Field’s photo 1 of 2: see it larger' })
  expect(picture.querySelector('img')?.getAttribute('src')).toBe(
    `/api/admin/question-files/${photo}/content?form=served`,
  )
  await waitFor(() => expect(rowsOf(world, 'questions').find((one) => one.id === id)?.readByCoachAt).toBeTruthy())
  const beside = screen.getByRole('complementary', { name: 'More about Sam Field' })
  await within(beside).findByText('Put my day rate up')
  fireEvent.click(await within(beside).findByRole('button', { name: 'My first question' }))
  await waitFor(() => expect(screen.getByRole('list', { name: 'What was said' }).textContent).toContain('My first'))
  expect(before).toBeTruthy()
})

describe('answering', () => {
  test('what’s typed is kept on this device until it’s sent, and goes once', async () => {
    const id = ask()
    await opened(id)
    await type('Your answer', 'Day rate plus parts.')
    await opened(id)
    await screen.findByText('We’ve kept what you wrote. It isn’t sent yet.')
    expect(answerOf().value).toBe('Day rate plus parts.')
    browser.setDelivery(`/api/admin/questions/${id}/answers`, 'lose-response')
    await press('Send the answer')
    await screen.findByText(/^No signal/)
    expect(answerOf().value).toBe('Day rate plus parts.')
    browser.setDelivery(`/api/admin/questions/${id}/answers`, 'deliver')
    await press('Send the answer')
    await screen.findByText('Answer sent')
    await waitFor(() => expect(answerOf().value).toBe(''))
    expect(said()).toHaveLength(1)
    expect(said()[0]).toMatchObject({ text: 'Day rate plus parts.' })
    await screen.findByText('Sam Field hasn’t read it yet.')
    const body = { messageId: said()[0]?.id }
    expect((await world.signIn(sam)(`/api/members/questions/${id}/read`, { body })).status).toBe(200)
    await opened(id)
    await screen.findByText(/^Sam Field read it on \d+ \w+ \d{4}, \d\d:\d\d\.$/)
  })

  test('the other owner’s answer is shown before this one is sent, and nothing typed is lost', async () => {
    const id = ask()
    await opened(id)
    await type('Your answer', 'Mine.')
    await answerAsKim(id, 'Ring your merchant first.')
    await press('Send the answer')
    const alert = await screen.findByText('Someone’s answered since you started')
    expect(alert.closest('.banner')?.textContent).toContain('Ring your merchant first.')
    expect(said()).toHaveLength(1)
    expect(answerOf().value).toBe('Mine.')
    await press('Change mine first')
    await type('Your answer', 'And mine.')
    await press('Send the answer')
    await screen.findByText('Answer sent')
    expect(said().map(({ text }) => text)).toEqual(['Ring your merchant first.', 'And mine.'])
  })

  test('what’s pasted isn’t cut off: it says how much is too long, and goes once it’s shorter', async () => {
    await opened(ask())
    const send = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Send the answer' })
    await type('Your answer', 'x'.repeat(4001))
    await screen.findByText('That’s 1 character too many. Shorten it, or send it in two parts.')
    expect([answerOf().value.length, send().disabled]).toEqual([4001, true])
    await type('Your answer', '   ')
    expect(send().disabled).toBe(true)
    await type('Your answer', 'x'.repeat(4000))
    await screen.findByText('0 characters left.')
    await press('Send the answer')
    await screen.findByText('Answer sent')
    expect(said()).toHaveLength(1)
  })

  test('to a member whose account has gone says so, and nothing of theirs stays on screen', async () => {
    const id = ask()
    await opened(id)
    await type('Your answer', 'Day rate plus parts.')
    world.ctx.sqlite.prepare('delete from questions where id = ?').run(id)
    await press('Send the answer')
    await screen.findByText('This question isn’t here any more')
    expect(screen.queryByRole('list', { name: 'What was said' })).toBeNull()
    expect(screen.queryByLabelText('Your answer')).toBeNull()
  })

  test('a saved reply is written, changed, put into an answer, and deleted', async () => {
    const id = ask()
    await opened(id)
    await press('Use a saved reply')
    const dialog = await screen.findByRole('dialog', { name: 'Saved replies' })
    await press('Write a new one')
    fireEvent.input(within(dialog).getByLabelText(/^Title/), { target: { value: 'Pricing' } })
    fireEvent.input(within(dialog).getByLabelText(/^Text/), { target: { value: 'Watch the pricing video.' } })
    await press('Save the reply')
    await screen.findByText('Reply saved')
    await press('Edit “Pricing”')
    fireEvent.input(within(dialog).getByLabelText(/^Text/), { target: { value: 'Watch it twice.' } })
    await press('Save the reply')
    await waitFor(() =>
      expect(rowsOf(world, 'saved_replies')[0]).toMatchObject({ text: 'Watch it twice.', version: 2 }),
    )
    await press('Use “Pricing”')
    expect(answerOf().value).toBe('Watch it twice.')
    await press('Use a saved reply')
    await press('Delete “Pricing”')
    await press('Delete saved reply')
    await waitFor(() => expect(rowsOf(world, 'saved_replies')).toEqual([]))
  })

  test('a link to a video goes with it; one they can’t open isn’t offered, and is refused with what was typed still there', async () => {
    const videos = world.addVideos()
    const titled = (slug: string) => videos.find((video) => video.slug === slug)
    const lee = world.addMember({ tier: 'lite', firstName: 'Lee', lastName: 'Ward', email: 'lee@example.com' })
    await opened(ask({ by: lee }))
    await type('Your answer', 'Watch this.')
    const [open, shut] = [titled('the-year-on-one-page'), titled('your-three-year-plan')]
    await press('Link a video or post')
    const dialog = await screen.findByRole('dialog', { name: 'Link a video or post' })
    const find = (title = '') =>
      fireEvent.change(within(dialog).getByLabelText('Find it by its title'), { target: { value: title } })
    find(shut?.title)
    const choices = within(dialog).getByRole('region', { name: 'Videos they can open' })
    await within(choices).findByText('None found.')
    find(open?.title)
    fireEvent.click(await within(choices).findByRole('button', { name: open?.title ?? '' }))
    const publish = (isPublished: 0 | 1) =>
      world.ctx.sqlite.prepare('update member_videos set isPublished = ? where id = ?').run(isPublished, open?.id)
    publish(0)
    await press('Send the answer')
    await screen.findByText('They can’t open this video. Choose another.')
    expect(answerOf().value).toBe('Watch this.')
    publish(1)
    await press('Send the answer')
    await screen.findByText('Answer sent')
    expect(said()).toHaveLength(1)
    expect(said()[0]).toMatchObject({ videoId: open?.id, text: 'Watch this.' })
  })

  test('it’s closed and reopened', async () => {
    const id = ask()
    await opened(id)
    await press('Close without an answer')
    await screen.findByText('This question is closed')
    await press('Reopen the question')
    await screen.findByLabelText('Your answer')
    expect(rowsOf(world, 'questions')[0]).toMatchObject({ closedAt: null })
  })
})

describe('publishing', () => {
  test('without the member’s tick it says why it stays private', async () => {
    await opened(ask())
    await screen.findByText('Sam Field hasn’t said you can publish this, so it stays between you.')
    expect(screen.queryByRole('button', { name: 'Publish below a video' })).toBeNull()
  })

  test('it’s worded anew, shown below its video, changed and taken down', async () => {
    const [video] = world.addVideos()
    const id = ask({ mayPublish: true, videoId: video?.id ?? null, videoTitle: video?.title ?? '', seconds: 0 })
    await opened(id)
    await screen.findByText('Once you’ve answered, you can publish it below a video.')
    await answerAsKim(id, 'Day rate plus parts.')
    await opened(id)
    await press('Publish below a video')
    const dialog = await screen.findByRole('dialog', { name: 'Publish below a video' })
    const question = await within(dialog).findByLabelText<HTMLTextAreaElement>(/^Question/)
    expect(question.value).toBe('How do I price a boiler swap?')
    fireEvent.input(within(dialog).getByLabelText(/^Answer/), { target: { value: 'Hi Sam, day rate plus parts.' } })
    await within(dialog).findByText('“Sam” is in it. Take out their name before you publish.')
    fireEvent.input(within(dialog).getByLabelText(/^Answer/), { target: { value: 'Day rate plus parts.' } })
    await waitFor(() => expect(within(dialog).queryByText(/Take out their name/)).toBeNull())
    await press('Publish')
    await screen.findByText('That’s word for word what they wrote. Put it in your own words.')
    fireEvent.input(question, { target: { value: 'How is a swap priced?' } })
    await press('Publish')
    await screen.findByText('We’ve told Sam Field.')
    expect(rowsOf(world, 'published_questions')[0]).toMatchObject({
      videoId: video?.id,
      question: 'How is a swap priced?',
      answer: 'Day rate plus parts.',
    })
    await press('Edit what’s published')
    const editing = await screen.findByRole('dialog', { name: 'Edit what’s published' })
    fireEvent.input(await within(editing).findByLabelText(/^Answer/), { target: { value: 'Day rate, then parts.' } })
    await press('Save')
    await waitFor(() =>
      expect(rowsOf(world, 'published_questions')[0]).toMatchObject({ answer: 'Day rate, then parts.', version: 2 }),
    )
    await press('Take it down')
    const asks = await screen.findByRole('dialog', { name: 'Take it down?' })
    fireEvent.click(within(asks).getByRole('button', { name: 'Take it down' }))
    await screen.findByText('Taken down')
    expect(rowsOf(world, 'published_questions')).toEqual([])
  })
})

test('a withdrawn question has nothing in it to answer', async () => {
  const id = ask({ withdrawnAt: world.ctx.now().toISOString() })
  world.ctx.sqlite.prepare('delete from question_messages').run()
  await opened(id)
  await screen.findByText('Sam Field withdrew this question. We’ve deleted what was in it.')
  expect(screen.queryByLabelText('Your answer')).toBeNull()
})

test('the member’s record lists what they asked, and leads to it', async () => {
  const id = ask()
  await browser.open(`/admin/members/${sam.id}`)
  const link = await screen.findByRole('link', { name: 'How do I price a boiler swap?' })
  expect(link.getAttribute('href')).toBe(`/admin/questions?entry=${id}`)
})

test('Today names those who have waited for more than a day, and counts them', async () => {
  const old = new Date(world.ctx.now().getTime() - 2 * 86_400_000).toISOString()
  const id = ask({ askedAt: old })
  ask({ text: 'Asked a moment ago' })
  await browser.open('/admin')
  const part = await screen.findByRole('region', { name: 'Questions' })
  expect(within(part).getByRole('link', { name: 'Sam Field' }).getAttribute('href')).toBe(
    `/admin/questions?entry=${id}`,
  )
  expect(part.textContent).not.toContain('Asked a moment ago')
})
