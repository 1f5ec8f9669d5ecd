// @module-tag full
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mediaFile } from '#api/features/media/store-service.ts'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { addBoxes } from '#api/testing/media.ts'
import { addOwnVideo, storeFile } from '#api/testing/own-videos.ts'
import { startWorld, type World } from '#api/testing/world.ts'
import type { Shelf } from '#shared/contract/shelf.ts'
import type { VideoVersions } from '#shared/contract/video-versions.ts'
import { makeVersions } from './jobs.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-making-'))
afterAll(() => rmSync(folder, { recursive: true }))

beforeAll(() => {
  if (!Bun.which('ffmpeg') || !Bun.which('ffprobe'))
    throw new Error('The full run needs ffmpeg to make videos with: apt-get install -y ffmpeg')
})

function run(program: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Noise, so that a few seconds are large enough to need versions. */
const picture = (seconds: number) => [
  '-f',
  'lavfi',
  '-i',
  `testsrc2=size=1280x720:rate=25:duration=${seconds},noise=alls=40:allf=t`,
]
const tone = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]

/** ffmpeg gives way to everything else on the machine, tests too. */
const patience = 300_000

/** A real video: 720p with sound, and the place where it was shot. */
function makeVideoFile(name: string, seconds: number, ...how: string[]): Buffer {
  const path = join(folder, name)
  const inputs = [...picture(seconds), ...tone(seconds)]
  const codecs = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-b:v',
    '9M',
    '-c:a',
    'aac',
    '-metadata',
    'location=+53.8-1.5/',
  ]
  run('ffmpeg', '-v', 'error', '-y', ...inputs, ...codecs, ...how, path)
  return readFileSync(path)
}

function start(env: Record<string, string> = {}) {
  const world = startWorld({ env: { DATA_DIR: mkdtempSync(join(folder, 'site-')), FFMPEG: '', ...env } })
  const owner = world.signIn(world.addOwner())
  const member = world.signIn(world.addMember({ tier: 'lite' }))
  return {
    world,
    owner,
    versions: async (id: string): Promise<VideoVersions> => (await owner(`/api/admin/videos/${id}/versions`)).json(),
    lesson: async () => ((await (await member('/api/shelf')).json()) as Shelf).lessons[0],
  }
}

const make = async ({ ctx }: World) => {
  const outcome = await runJob(ctx, 'media-versions')
  return outcome.skipped ? null : outcome.report
}
const entries = ({ ctx }: World): unknown[] =>
  ctx.sqlite.prepare(`select action from audit_entries where action like 'video.version%' order by id`).pluck().all()
const pathOf = ({ ctx }: World, file: { sha256: string } | null | undefined) => mediaFile(ctx, file ?? { sha256: '' })
const incoming = ({ ctx }: World) => readdirSync(join(ctx.settings.dataDir, 'media', 'incoming'))
const probe = (path: string) =>
  JSON.parse(run('ffprobe', '-v', 'error', '-show_streams', '-show_format', '-of', 'json', path))

test(
  'a video gets a light version and sound that play on any phone; a new video gets new ones, the old stay until then',
  async () => {
    const { world, owner, versions, lesson: shelved } = start()
    const videoFile = await storeFile(world, makeVideoFile('vans.mp4', 3), 'Vans.mp4')
    const { id, version } = await addOwnVideo(owner, 'Vans', { filmFiles: [videoFile.id] })
    expect(await make(world)).toEqual({ made: 2, refused: 0, left: 0 })
    const first = await shelved()
    const light = probe(pathOf(world, first?.light))
    expect(light.streams).toMatchObject([
      { codec_name: 'h264', width: 854, height: 480, pix_fmt: 'yuv420p' },
      { codec_name: 'aac', channels: 1 },
    ])
    expect(Number(light.format.bit_rate)).toBeLessThan(600_000)
    expect(JSON.stringify(light)).not.toContain('53.8')
    const bytes = readFileSync(pathOf(world, first?.light))
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'))
    const sound = probe(pathOf(world, first?.sound))
    expect(sound.streams).toMatchObject([{ codec_name: 'aac', channels: 1 }])
    expect(Number(sound.format.bit_rate)).toBeLessThan(80_000)
    expect([first?.light?.format, first?.sound?.format]).toEqual(['mp4', 'm4a'])

    // Another video with the same file takes the same versions.
    await addOwnVideo(owner, 'Vans again', { filmFiles: [videoFile.id], isPublished: false })
    expect(await make(world)).toEqual({ made: 2, refused: 0, left: 0 })
    expect(world.ctx.sqlite.prepare('select count(distinct mediaId) from video_versions').pluck().get()).toBe(2)
    world.ctx.sqlite.exec(`delete from member_videos where title = 'Vans again'`)

    const better = await storeFile(world, makeVideoFile('better.mp4', 3, '-vf', 'negate'), 'Better.mp4')
    await owner(`/api/admin/videos/${id}`, { method: 'PATCH', body: { filmFiles: [better.id], version } })
    expect(await shelved()).toMatchObject({ film: { sha256: better.sha256 }, light: first?.light, sound: first?.sound })
    expect((await versions(id)).versions.map(({ state }) => state)).toEqual(['waiting', 'waiting'])
    expect(await make(world)).toEqual({ made: 2, refused: 0, left: 0 })
    const second = await shelved()
    expect(second?.light?.sha256).not.toBe(first?.light?.sha256)
    // The sound of both is the same, so it's the same file.
    expect(second?.sound).toEqual(first?.sound)
    expect(existsSync(pathOf(world, first?.light))).toBe(false)
    expect(world.ctx.sqlite.prepare('select count(*) from media').pluck().get()).toBe(4)

    const removed = await owner(`/api/admin/videos/${id}/versions/light`, { method: 'DELETE' })
    expect(await removed.json()).toMatchObject({
      versions: [{ state: 'skipped', reason: 'removed' }, { state: 'made' }],
    })
    expect(await make(world)).toEqual({ made: 0, refused: 0, left: 0 })
    expect((await shelved())?.light).toBeNull()
  },
  patience,
)

test(
  'a video only some devices show is light on the others: its H.264 is the second of its files, however small it is',
  async () => {
    const { world, owner, lesson: shelved } = start()
    const hevc = makeVideoFile('phone.mov', 2, '-s', '320x180', '-c:v', 'libx265', '-b:v', '50k', '-tag:v', 'hvc1')
    const videoFile = await storeFile(world, hevc, 'Phone.mov')
    // As if it had been stored before we read what codec a file has.
    world.ctx.sqlite.exec('update media set codec = null; delete from media_checks')
    await runJob(world.ctx, 'media-checks')
    const { id } = await addOwnVideo(owner, 'Phone', { filmFiles: [videoFile.id] })
    const member = world.signIn(world.addMember({ tier: 'lite' }))
    const files = async () => {
      const videos = (await (await member('/api/member-videos')).json()) as { id: string; files?: string[] }[]
      return videos.find((video) => video.id === id)?.files
    }
    expect(await files()).toEqual([videoFile.address])
    expect(await make(world)).toEqual({ made: 1, refused: 0, left: 0 })
    const light = (await shelved())?.light
    expect(probe(pathOf(world, light)).streams).toMatchObject([{ codec_name: 'h264' }, { codec_name: 'aac' }])
    expect(await files()).toEqual([videoFile.address, light?.address])
    await owner(`/api/admin/videos/${id}/versions/light`, { method: 'DELETE' })
    expect(await files()).toEqual([videoFile.address])
  },
  patience,
)

test(
  'a version that’s damaged, cut short or gone is made again at night, as long as its video is whole',
  async () => {
    const { world, owner, lesson: shelved } = start()
    const videoFile = await storeFile(world, makeVideoFile('night.mp4', 3), 'Night.mp4')
    await addOwnVideo(owner, 'Night', { filmFiles: [videoFile.id] })
    await make(world)
    const night = async () => {
      world.forward(24 * 3_600_000)
      await runJob(world.ctx, 'media-checks')
      return make(world)
    }
    const light = pathOf(world, (await shelved())?.light)
    const [whole, original] = [readFileSync(light), readFileSync(pathOf(world, videoFile))]
    const flip = (bytes: Buffer) => Buffer.from(bytes).fill(bytes.readUInt8(20_000) ^ 1, 20_000, 20_001)
    world.ctx.sqlite.exec(`update media_checks set checkedAt = '2020-01-01' where file = '${light.slice(-64)}'`)
    for (const spoil of [
      () => writeFileSync(light, flip(whole)),
      () => writeFileSync(light, ''),
      () => rmSync(light),
    ]) {
      spoil()
      expect(await night()).toEqual({ made: 1, refused: 0, left: 0 })
      expect(readFileSync(light).equals(whole)).toBe(true)
    }
    writeFileSync(pathOf(world, videoFile), flip(original))
    rmSync(light)
    expect(await night()).toEqual({ made: 0, refused: 0, left: 0 })
    writeFileSync(pathOf(world, videoFile), original)
    expect(await night()).toEqual({ made: 1, refused: 0, left: 0 })
    expect(readFileSync(light).equals(whole)).toBe(true)
  },
  patience,
)

test(
  'a server that stops meanwhile keeps nothing half made; the journal has it, and the next run makes it',
  async () => {
    const { world, owner, versions } = start()
    const videoFile = await storeFile(world, makeVideoFile('long.mp4', 8), 'Long.mp4')
    const { id } = await addOwnVideo(owner, 'Long', { filmFiles: [videoFile.id] })
    const server = new AbortController()
    const running = makeVersions(world.ctx, { stopping: server.signal })
    const seen = async (): Promise<boolean> => {
      const [light] = (await versions(id)).versions
      return light?.state === 'making' && (light.percent ?? 0) > 0
    }
    while (!(await seen())) await new Promise((resolve) => setImmediate(resolve))
    server.abort()
    expect(await running).toEqual({ made: 0, refused: 0, left: 2, waits: 'the server was stopped' })
    expect([incoming(world), (await versions(id)).versions[0]?.state]).toEqual([[], 'waiting'])
    expect(await make(world)).toEqual({ made: 2, refused: 0, left: 0 })
    expect(entries(world)).toEqual(['video.version_stopped', 'video.version_made', 'video.version_made'])
  },
  patience,
)

test(
  'an owner’s own file, given while ours is made, stays',
  async () => {
    const { world, owner, versions } = start()
    const videoFile = await storeFile(world, makeVideoFile('vans.mp4', 3), 'Vans.mp4')
    const own = await storeFile(world, makeVideoFile('own.mp4', 1, '-s', '320x180', '-b:v', '100k'), 'Own.mp4')
    const { id } = await addOwnVideo(owner, 'Vans', { filmFiles: [videoFile.id] })
    const running = makeVersions(world.ctx, { stopping: undefined })
    await owner(`/api/admin/videos/${id}/versions/light`, { method: 'PUT', body: { file: own.id } })
    await running
    expect((await versions(id)).versions).toMatchObject([{ state: 'given', file: { id: own.id } }, { state: 'made' }])
    expect([incoming(world), world.ctx.sqlite.prepare('select count(*) from media').pluck().get()]).toEqual([[], 3])
  },
  patience,
)

test(
  'a video that’s small for its length, or has no sound, says so',
  async () => {
    const { world, owner, versions } = start()
    const reasonsOf = async (name: string, content: Buffer) => {
      const videoFile = await storeFile(world, content, name)
      const { id } = await addOwnVideo(owner, name, { filmFiles: [videoFile.id] })
      await make(world)
      return (await versions(id)).versions.map(({ reason, state }) => reason ?? state)
    }
    const silent = makeVideoFile('silent.mp4', 3, '-an')
    expect(await reasonsOf('silent.mp4', silent)).toEqual(['made', 'no-sound'])
    const voice = join(folder, 'voice.m4a')
    run('ffmpeg', '-v', 'error', '-y', ...tone(700), '-c:a', 'aac', '-b:a', '60k', '-ac', '1', voice)
    expect(await reasonsOf('voice.m4a', readFileSync(voice))).toEqual(['not-needed', 'no-smaller'])
  },
  patience,
)

test(
  'a playlist, a script and a drawing dressed as a video are refused, and open nothing if they get in all the same',
  async () => {
    const asked: string[] = []
    const server = createServer((request, response) => {
      asked.push(request.url ?? '')
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const outside = `http://127.0.0.1:${port}`
    const secret = join(folder, 'secret.mp4')
    writeFileSync(secret, makeVideoFile('secret.mp4', 1))
    const box = addBoxes([['ftyp', 'isom\0\0\x02\0isomiso2']])
    const hostile: Record<string, Buffer> = {
      playlist: Buffer.from(
        `#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n${outside}/a.ts\n#EXTINF:9,\nfile://${secret}\n`,
      ),
      script: Buffer.from(`ffconcat version 1.0\nfile '${secret}'\nfile '${outside}/b.mp4'\n`),
      drawing: Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${outside}/c.png"/></svg>`),
      polyglot: Buffer.concat([
        box,
        Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><image href="${outside}/d.png"/></svg>`),
      ]),
      boxed: Buffer.concat([box, Buffer.from(`#EXTM3U\n#EXTINF:9,\n${outside}/e.ts\n`)]),
    }
    const { world, owner, versions, lesson: shelved } = start()
    for (const [name, start] of Object.entries(hostile)) {
      const content = Buffer.concat([start, Buffer.alloc(5_000_000, '\n')])
      if (name !== 'boxed') await expect(storeFile(world, content, 'film.mp4')).rejects.toThrow()

      // As if the store had let it in.
      const videoFile = await storeFile(world, Buffer.concat([box, Buffer.alloc(5_000_000, name)]), 'film.mp4')
      writeFileSync(pathOf(world, videoFile), content)
      world.ctx.sqlite.prepare('update media set bytes = ? where id = ?').run(content.length, videoFile.id)
      const { id } = await addOwnVideo(owner, name, { filmFiles: [videoFile.id] })
      expect(await make(world)).toEqual({ made: 0, refused: 2, left: 0 })
      expect((await versions(id)).versions.map(({ reason }) => reason)).toEqual(['unreadable', 'unreadable'])
      expect(await shelved()).toMatchObject({ light: null, sound: null })
      world.ctx.sqlite.exec('delete from member_videos')
    }
    expect([asked, incoming(world)]).toEqual([[], []])
    server.close()
  },
  patience,
)
