import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type APIRequestContext, request } from '@playwright/test'
import sharp from 'sharp'
import * as v from 'valibot'
import { CommitmentChange, CommitmentSyncRequest, MemberCommitments } from '#shared/contract/commitments.ts'
import { QuestionList } from '#shared/contract/questions.ts'
import { addDays, londonDay } from '#shared/rules/london.ts'
import { typedDayText } from '#shared/rules/typed-day.ts'
import type { Visitor } from '../engines/visitor.ts'
import { logInOverHttp, userOf } from '../people.ts'
import { expect, logIn, openList, type Site, test } from './fixtures.ts'

const email = 'standard@alliance.test'
const words = 'Which of these two valves goes on the return?'
const answer = 'The one on the left.'

test('a question with a photo and a voice note waits through a closed browser without signal, is sent once, and its answer is kept', async ({
  open,
  site,
}) => {
  const phone = await open({ hasMicrophone: true })
  await openMembers(phone)
  await phone.goto('/members/ask')
  await phone.sees('button', 'Record')
  await site.loseSignal()
  await phone.fill('What’s your question?', words)
  await phone.upload('Add photos', await photoFile(phone))
  await phone.readUntil(() => document.querySelector('.photos__list img') !== null)
  await phone.press('button', 'Record')
  await phone.readUntil(() => /^[2-9] seconds/.test(document.querySelector('[role=timer]')?.ariaLabel ?? ''))
  await phone.press('button', 'Done')
  await phone.sees('button', 'Play your voice note')
  await phone.press('button', 'Send')
  await phone.sees('status', /^Saved on this phone/)
  await phone.close()
  await phone.open()
  await phone.goto('/members/questions')
  await phone.sees('listitem', new RegExp(`${words.replace('?', '\\?')}.*Waiting to send`))
  expect(asks(site)).toEqual([])

  await site.restore()
  const member = await request.newContext({ baseURL: site.url })
  await logInOverHttp(member, email)
  const files = async () => (await questionOf(member))?.messages[0]?.files.map(({ state }) => state)
  await expect.poll(files, { timeout: 60_000 }).toEqual(['ready', 'ready'])
  expect(asks(site)).toEqual([words])
  await answerOverHttp(site, member)

  await phone.goto('/members')
  await phone.sees('link', /^Your questions ?\d+ new$/)
  await phone.goto('/members/questions')
  await phone.sees('listitem', new RegExp(`${words.replace('?', '\\?')}.*New answer`))
  await phone.press('link', words)
  await phone.sees('text', answer)
  await expect.poll(async () => (await questionOf(member))?.isUnread).toBe(false)
  await member.dispose()
  await site.loseSignal()
  await phone.close()
  await phone.open()
  await phone.goto('/members/questions')
  await phone.press('link', words)
  await phone.sees('text', answer)
  await phone.readUntil(() => (document.querySelector<HTMLImageElement>('.message__photo img')?.naturalWidth ?? 0) > 0)
  await phone.sees('button', 'Play your voice note')
})

test('what a member says they’ll do is made, moved and ticked without signal, waits through a closed browser, and is sent once', async ({
  open,
  site,
}) => {
  const phone = await open()
  await openMembers(phone)
  await phone.goto('/members/commitments')
  await phone.sees('button', 'Put it on my list')
  await site.loseSignal()
  const [day, later] = [3, 5].map((days) => addDays(londonDay(new Date()), days))
  await phone.fill('I’ll…', 'ring three builders')
  await phone.fill('By when?', typedDayText(day ?? ''))
  await phone.press('button', 'Put it on my list')
  await phone.sees('text', /^By .* Waiting to send$/)
  await phone.press('button', 'Change the day')
  await phone.fill('New day', typedDayText(later ?? ''))
  await phone.keys('Enter')
  await phone.notSees('field', 'New day')
  await phone.press('button', 'Done')
  await phone.sees('text', /^Done today.* Waiting to send$/)
  await phone.close()
  await phone.open()
  await phone.goto('/members/commitments')
  await phone.sees('text', /^Done today.* Waiting to send$/)
  expect(changes(site)).toEqual([])

  await site.restore()
  await phone.notSees('text', /Waiting to send/)
  await phone.sees('text', /^Done today/)
  const sent = changes(site)
  expect(new Set(sent.map(({ id }) => id)).size).toBe(sent.length)
  const member = await request.newContext({ baseURL: site.url })
  await logInOverHttp(member, email)
  const { id } = await userOf(member)
  await logInOverHttp(member, 'owner@alliance.test')
  const { commitments } = v.parse(
    MemberCommitments,
    await (await member.get(`/api/admin/members/${id}/commitments`)).json(),
  )
  const made = commitments.filter(({ text }) => text === 'ring three builders')
  expect(made.map(({ day, state }) => [day, state])).toEqual([[later, 'done']])
  await member.dispose()
})

/** Until all of it is on the phone, and it opens without the server. */
async function openMembers(phone: Visitor) {
  await logIn(phone, email)
  await openList(phone)
}

async function photoFile(phone: Visitor): Promise<string> {
  const file = join(phone.launch.downloads, 'valve.jpg')
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const picture = sharp({ create: { width: 2400, height: 1800, channels: 3, background: '#888', noise } })
  writeFileSync(file, await picture.jpeg({ quality: 90 }).toBuffer())
  return file
}

/** Questions that arrived. */
const asks = ({ asked }: Site): unknown[] =>
  asked
    .filter(({ method, path, status }) => method === 'POST' && path === '/api/members/questions' && status === 200)
    .map(({ body }) => JSON.parse(body).text)

const changes = ({ asked }: Site) =>
  asked
    .filter(({ path, status }) => path === '/api/members/commitments/sync' && status === 200)
    .flatMap(({ body }) => v.parse(CommitmentSyncRequest, JSON.parse(body)).changes)
    .map((change) => v.parse(CommitmentChange, change))

/** Among those of the sandbox's year. */
async function questionOf(member: APIRequestContext) {
  const { questions } = v.parse(QuestionList, await (await member.get('/api/members/questions')).json())
  return questions.find(({ messages }) => messages[0]?.text === words)
}

async function answerOverHttp(site: Site, member: APIRequestContext): Promise<void> {
  const question = await questionOf(member)
  const owner = await request.newContext({ baseURL: site.url })
  await logInOverHttp(owner, 'owner@alliance.test')
  const data = { id: '01980000-0000-7000-8000-000000000001', text: answer, version: question?.version }
  expect((await owner.post(`/api/admin/questions/${question?.id}/answers`, { data })).status()).toBe(200)
  await owner.dispose()
}
