import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { contentOf } from '#api/site/content.ts'
import { startWorld } from '#api/testing/world.ts'
import { seedClips } from './sample-service.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-clips-'))
afterAll(() => rmSync(folder, { recursive: true }))

test('HOME-08 LAND-1 POD-01 WEB-6 each video and episode of a sandbox is a file of ours, served in parts; its sample pages open', async () => {
  const world = startWorld({ env: { DATA_DIR: folder } })
  await seedClips(world.ctx)
  const { site, pages } = contentOf(world.ctx).read()
  const { transformationVideo, salesDemoVideo, salesCaseVideo, salesTrainingVideos, ...links } = site.links
  const videos = [transformationVideo, salesDemoVideo, salesCaseVideo, ...salesTrainingVideos]
  const files = [
    ...videos.map((video) => video.split(' ')),
    ...pages.podcast.episodes.list.map((episode) => episode.files),
  ]
  expect(files.length).toBe(10)
  for (const file of files.flat()) {
    const { status, headers } = await world.call(file, { headers: { range: 'bytes=0-9' } })
    expect([file, status, headers.get('content-length')]).toEqual([file, 206, '10'])
    expect(headers.get('content-type')).toMatch(/^(video|audio)\//)
  }
  for (const address of [
    links.salesPricing,
    links.salesPayment,
    links.salesReminder,
    links.community,
    links.podcastMusic,
    links.websiteBuilds,
  ]) {
    const page = await world.call(new URL(address).pathname)
    expect([address, page.status]).toEqual([address, 200])
    expect(await page.text()).toMatch(/<h1>[^<]+<\/h1>/)
  }
})

/** A system folder on a file system with no free space. */
const fullDisk = process.platform === 'linux' ? '/proc' : '/dev'

test('without room for the sample videos a site starts without them and says so, and the next start stores them', {
  tags: ['full'],
}, async () => {
  const file = join(folder, 'full.sqlite')
  const full = startWorld({ file, env: { DATA_DIR: fullDisk } })
  await seedClips(full.ctx)
  expect(full.logged).toEqual([expect.stringContaining('no room for the sample films')])
  full.ctx.sqlite.close()
  const { ctx, call } = startWorld({ file, env: { DATA_DIR: folder } })
  await seedClips(ctx)
  const video = contentOf(ctx).read().site.links.transformationVideo.split(' ')[0] ?? ''
  expect((await call(video, { headers: { range: 'bytes=0-9' } })).status).toBe(206)
  ctx.sqlite.close()
})
