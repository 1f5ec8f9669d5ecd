import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { addQuestion } from '#api/testing/asked-rows.ts'
import { addQuestionRows } from '#api/testing/question-rows.ts'
import { startServer, type TestServer } from '#cli/testing/server.ts'
import { shortReference } from '#shared/rules/id.ts'

let server: TestServer
let id: string
let videoId: string
beforeAll(async () => {
  server = await startServer()
  const kim = server.world.addMember({ email: 'kim@alliance.test', firstName: 'Kim', lastName: 'Reed' })
  videoId = server.world.addVideos()[0]?.id ?? ''
  id = addQuestion(server.world.ctx, { userId: kim.id, text: 'Why is it cold?\n\nThe furthest one.' })
})
afterAll(() => server.close())

test('a question is listed, shown, answered as planned and closed; both transports say the same', async () => {
  const reference = shortReference(id)
  expect((await server.local('questions list')).out).toMatch(
    /Kim Reed .*Why is it cold\? The furthest one\..* not answered/,
  )
  const listed = JSON.parse((await server.remote('questions list --json')).out)
  expect(listed).toMatchObject([{ id, member: { email: 'kim@alliance.test' }, state: 'sent' }])
  expect(JSON.parse((await server.local('questions list --json')).out)).toEqual(listed)
  expect(JSON.parse((await server.local(`questions show ${reference} --json`)).out).question.state).toBe('sent')
  const shown = (await server.local(`questions show ${reference}`)).out
  // The coach has read it, and the member sees that.
  expect(JSON.parse((await server.remote('questions list --json')).out)).toMatchObject([{ state: 'read' }])
  expect(shown).toMatch(/From +Kim Reed, kim@alliance\.test/)
  expect(shown).toContain('Why is it cold?\nThe furthest one.')

  const plan = join(server.dataDir, 'answer.json')
  const asked = await server.local(`questions answer ${reference} Bleed it. --dry-run --json`)
  writeFileSync(plan, asked.out)
  expect((await server.local(`questions answer ${reference} Bleed it.`)).code).toBe(2)
  expect(await server.local(`apply ${plan} --yes`)).toMatchObject({
    code: 0,
    err: 'Answered. We’ll tell Kim Reed.\n',
  })
  expect(await server.local(`apply ${plan} --yes`)).toMatchObject({ code: 1 })
  expect((await server.local('questions list')).out).toContain('No questions.')
  const record = JSON.parse((await server.remote('questions show kim@alliance.test --json')).out)
  expect(record.question).toMatchObject({ state: 'answered', messages: [{}, { author: 'coach', text: 'Bleed it.' }] })

  expect((await server.remote('questions close kim@alliance.test')).err).toBe('Closed the question from Kim Reed.\n')
  expect(JSON.parse((await server.local('questions list --show closed --json')).out)).toMatchObject([{ id }])
  expect((await server.local(`questions answer ${reference} Once more. --dry-run`)).out).toMatch(
    /State +closed, your answer opens it again\n/,
  )
})

test('a question about a long film says the hour it stood at', async () => {
  const { world } = server
  const jo = world.addMember({ email: 'jo@alliance.test', firstName: 'Jo' })
  const about = addQuestion(world.ctx, { userId: jo.id, videoId, videoTitle: 'Boilers' })
  world.ctx.sqlite.prepare('update questions set seconds = 3725 where id = ?').run(about)
  expect((await server.local('questions show jo@alliance.test')).out).toMatch(/About +.+, at 1:02:05\n/)
})

test('what members said they’d do is in a narrow terminal too, with who and by when', async () => {
  const { world, env } = server
  const ray = world.addMember({ email: 'ray.with.a.long.address@alliance.test', firstName: 'Ray', lastName: 'Dunn' })
  const [id, commitmentId] = [world.ctx.newId(), world.ctx.newId()]
  const day = `${world.ctx.now().getUTCFullYear()}-12-04`
  const change = { id, commitmentId, at: world.ctx.now().toISOString(), counter: 1, text: 'Ring three builders', day }
  const body = { deviceId: 'phone-a', changes: [change] }
  expect((await world.signIn(ray)('/api/members/commitments/sync', { body })).status).toBe(200)
  const narrow = { isTTY: { stdin: true, stdout: true }, columns: 60, env: { ...env, NO_COLOR: '1' } }
  expect((await server.local('commitments list', narrow)).out).toMatch(
    / 4 Dec +Ray Dunn +Alliance +Ring three builders/,
  )
})

test('a link the member can’t open is refused, and the plan names it', async () => {
  expect((await server.local('questions answer kim@alliance.test Look. --post no-such-post --dry-run')).out).toMatch(
    /Post +no-such-post\n/,
  )
  const done = await server.local('questions answer kim@alliance.test Look here. --post no-such-post --yes')
  expect(done).toMatchObject({ code: 2, err: expect.stringContaining('This post isn’t published.') })
})

test('a backup carries the bytes of photos and voice notes, and a restore brings them back', async () => {
  const { world, dataDir, env, local } = server
  const content = Buffer.from('ffd8ffe000104a46494600', 'hex')
  const fileId = addQuestionRowsFor(content)
  const backups = join(dataDir, 'backups')
  const made = await local('backup create', { env: { ...env, BACKUP_DIR: backups } })
  expect(made).toMatchObject({ code: 0 })
  const other = join(dataDir, 'other')
  const restored = await local(`backup restore ${made.out.trim()}`, { env: { ...env, DATA_DIR: other } })
  expect(restored).toMatchObject({ code: 0 })
  const copy = new Database(databaseFile(other), { readonly: true })
  const kept = copy.prepare('select content from question_file_contents where fileId = ?').pluck().get(fileId)
  copy.close()
  expect(kept).toEqual(content)

  function addQuestionRowsFor(bytes: Buffer): string {
    const userId = world.addMember().id
    addQuestionRows(world.ctx, { userId, videoId })
    const row = world.ctx.sqlite.prepare<[], string>('select "fileId" from question_file_contents').pluck().get() ?? ''
    world.ctx.sqlite.prepare('update question_file_contents set content = ?').run(bytes)
    return row
  }
})
