import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { databaseFile } from '#api/db/data-dir.ts'
import { openDatabase } from '#api/db/open.ts'
import { invalidateResponses } from '#api/serving/kept-answers.ts'
import { type Call, startWorld } from '#api/testing/world.ts'
import { videoSeeds } from '#data/seed/videos.ts'
import { shippedTierSlugs } from '#shared/contract/tier.ts'
import { type MemberVideo, VideoTextList } from '#shared/contract/video.ts'
import { captionsAddress, videoCategories } from '#shared/rules/video.ts'

const seeded = (see: (video: (typeof videoSeeds)[number]) => boolean) =>
  videoSeeds
    .filter((video) => video.isPublished && see(video))
    .map(({ title }) => title)
    .sort()

test('ROLE-04 API-09 CALLS-41 each tier sees what names it, published, and nothing else', async () => {
  const world = startWorld()
  world.addVideos()
  for (const tier of shippedTierSlugs) {
    const videos: MemberVideo[] = await (await world.signIn(world.addMember({ tier }))('/api/member-videos')).json()
    expect([tier, videos.map(({ title }) => title).sort()]).toEqual([
      tier,
      seeded((video) => video.tierAccess.includes(tier)),
    ])
  }
})

test('MEMB-20 a draft is hidden from members of every tier and from owners, until it is published', async () => {
  const world = startWorld()
  const video = world.addVideos().find(({ isPublished, tierAccess }) => isPublished && tierAccess.length === 3)
  const people = [world.addOwner(), ...shippedTierSlugs.map((tier) => world.addMember({ tier }))].map(world.signIn)
  const publish = (isPublished: boolean) => {
    world.ctx.sqlite
      .prepare('update member_videos set isPublished = ? where id = ?')
      .run(Number(isPublished), video?.id)
    invalidateResponses(world.ctx)
  }
  const see = () =>
    Promise.all(
      people.map(async (call) => {
        const videos: MemberVideo[] = await (await call('/api/member-videos')).json()
        return videos.some(({ id }) => id === video?.id)
      }),
    )
  const tick = (by: Call | undefined) => by?.(`/api/video-progress/${video?.id}/complete`, { method: 'POST' })
  expect(await see()).toEqual([true, true, true, true])
  publish(false)
  expect(await see()).toEqual([false, false, false, false])
  expect((await tick(people.at(-1)))?.status).toBe(404)
  publish(true)
  expect(await see()).toEqual([true, true, true, true])
  expect((await tick(people.at(-1)))?.status).toBe(200)
})

test('an owner sees everything that is published', async () => {
  const world = startWorld()
  world.addVideos()
  const videos: MemberVideo[] = await (await world.signIn(world.addOwner())('/api/member-videos')).json()
  expect(videos.map(({ title }) => title).sort()).toEqual(seeded(() => true))
})

test('ROLE-04 a video’s notes, transcript and captions are for those who see the video, and come once', async () => {
  const world = startWorld()
  const videos = world.addVideos()
  const [lite, xl] = [world.signIn(world.addMember({ tier: 'lite' })), world.signIn(world.addMember({ tier: 'xl' }))]
  const onlyXl = videos.find(({ tierAccess }) => tierAccess.length === 1)?.id ?? ''
  const [draft] = videos.filter(({ isPublished }) => !isPublished)
  const read = async (call: Call) => v.parse(VideoTextList, await (await call('/api/member-videos/texts')).json())
  const text = (await read(xl)).find(({ videoId }) => videoId === onlyXl)
  expect(text).toMatchObject({ notes: expect.any(String), transcript: expect.any(String), hasCaptions: true })
  expect((await read(lite)).some(({ videoId }) => videoId === onlyXl)).toBe(false)
  expect((await read(xl)).some(({ videoId }) => videoId === draft?.id)).toBe(false)
  const etag = (await xl('/api/member-videos/texts')).headers.get('etag') ?? ''
  expect((await xl('/api/member-videos/texts', { headers: { 'if-none-match': etag } })).status).toBe(304)
  const captions = await xl(captionsAddress(onlyXl))
  expect(captions.headers.get('content-type')).toBe('text/vtt; charset=utf-8')
  expect(await captions.text()).toMatch(/^WEBVTT\n\n00:00:00\.000 --> /)
  expect((await lite(captionsAddress(onlyXl))).status).toBe(404)
  expect((await xl(captionsAddress(draft?.id ?? ''))).status).toBe(404)
  expect((await world.call(captionsAddress(onlyXl))).status).toBe(401)
})

test('members get the owners’ other words for a thing, and an owner’s change of them at once', async () => {
  const world = startWorld()
  const [owner, member] = [world.signIn(world.addOwner()), world.signIn(world.addMember({ tier: 'lite' }))]
  const read = async (): Promise<string[]> => (await member('/api/member-videos/search-words')).json()
  expect((await read()).length).toBeGreaterThanOrEqual(60)
  const put = (value: readonly string[]) =>
    owner('/api/admin/content/search-words', { method: 'PUT', body: { version: 0, entry: 'groups', value } })
  expect((await put(['day rate'])).status).toBe(422)
  expect((await put(['day rate, what to ask for'])).status).toBe(200)
  expect(await read()).toEqual(['day rate, what to ask for'])
  expect((await world.call('/api/member-videos/search-words')).status).toBe(401)
})

test('ENT-1 a response is cached for a member’s tier, and members of another tier do not get it', async () => {
  const world = startWorld()
  world.addVideos()
  const [lite, xl] = [world.signIn(world.addMember({ tier: 'lite' })), world.signIn(world.addMember({ tier: 'xl' }))]
  const etag = (await xl('/api/member-videos')).headers.get('etag') ?? ''
  const known = { headers: { 'if-none-match': etag } }
  expect((await xl('/api/member-videos', known)).status).toBe(304)
  for (const spelled of [`W/${etag}`, `"other", W/${etag}`, '*']) {
    const again = await xl('/api/member-videos', { headers: { 'if-none-match': spelled } })
    expect([spelled, again.status, again.headers.get('cache-control')]).toEqual([spelled, 304, 'private, no-store'])
  }
  expect((await lite('/api/member-videos', known)).status).toBe(200)
  expect((await world.call('/api/member-videos', known)).status).toBe(401)
  world.ctx.sqlite.exec(`update users set accessOverride = 'revoked'`)
  expect((await xl('/api/member-videos', known)).status).toBe(403)
})

test('a change by another process is seen at once', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-videos-'))
  const file = databaseFile(folder)
  const world = startWorld({ file })
  world.addVideos()
  const owner = world.signIn(world.addOwner())
  const titles = async () => {
    const videos: MemberVideo[] = await (await owner('/api/member-videos')).json()
    return videos.map(({ title }) => title)
  }
  expect(await titles()).toHaveLength(seeded(() => true).length)
  const other = openDatabase(file)
  // Like someone who repairs a row by hand and bumps no revision.
  other.sqlite.exec(
    "update member_videos set title = 'Repaired' where id = (select min(id) from member_videos where isPublished)",
  )
  expect(await titles()).toContain('Repaired')
  other.sqlite.exec('update member_videos set isPublished = 0')
  expect(await titles()).toEqual([])
  other.sqlite.close()
  world.ctx.sqlite.close()
  rmSync(folder, { recursive: true })
})

test('DATA-16 about 40 videos over all nine categories: every type, tier, drafts, lengths and none', () => {
  expect(videoSeeds.length).toBeGreaterThanOrEqual(36)
  for (const category of videoCategories) expect(videoSeeds.map((video) => video.category)).toContain(category)
  expect(new Set(videoSeeds.map(({ videoType }) => videoType)).size).toBe(4)
  expect(new Set(videoSeeds.map(({ tierAccess }) => tierAccess.join())).size).toBe(3)
  expect(videoSeeds.filter(({ isPublished }) => !isPublished).length).toBeGreaterThan(0)
  expect(videoSeeds.filter(({ duration }) => duration === null).length).toBeGreaterThan(0)
})
