import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { addBoxes, videoFileOf } from '#api/testing/media.ts'
import { addOwnVideo, storeFile } from '#api/testing/own-videos.ts'
import { type Call, readError, startWorld } from '#api/testing/world.ts'
import type { Shelf } from '#shared/contract/shelf.ts'
import type { VideoVersions } from '#shared/contract/video-versions.ts'

const folder = mkdtempSync(join(tmpdir(), 'alliance-versions-'))
afterAll(() => rmSync(folder, { recursive: true }))
const tools = join(folder, 'tools')
mkdirSync(tools)
const world = startWorld({ env: { DATA_DIR: folder } })
const owner = world.signIn(world.addOwner())

/** Large enough to need versions. */
const big = videoFileOf(5_000_000, 1)

/** A valid audio file that can't be played. */
const soundOf = (seed: number) =>
  addBoxes([
    ['ftyp', 'M4A \0\0\x02\0isomiso2'],
    ['moov', `seed ${seed}`],
  ])
const at = (id: string, rest = '') => `/api/admin/videos/${id}/versions${rest}`
const versionsOf = async (id: string, call: Call = owner): Promise<VideoVersions> => (await call(at(id))).json()
const statesOf = async (id: string, call: Call = owner) =>
  (await versionsOf(id, call)).versions.map(({ state }) => state)
const give = (id: string, form: string, file: string) => owner(at(id, `/${form}`), { method: 'PUT', body: { file } })
const remove = (id: string, form: string) => owner(at(id, `/${form}`), { method: 'DELETE' })
const member = (tier: 'lite' | 'xl') => world.signIn(world.addMember({ tier }))
const shelfOf = async (call: Call): Promise<Shelf> => (await call('/api/shelf')).json()

test('owners add a light video and audio; only members who can watch the video get them', async () => {
  const videoFile = await storeFile(world, big, 'Vans.mp4')
  const light = await storeFile(world, videoFileOf(3_000, 2), 'Vans, small.mp4')
  const sound = await storeFile(world, soundOf(1), 'Vans.m4a')
  const { id } = await addOwnVideo(owner, 'Vans', { filmFiles: [videoFile.id], tierAccess: ['xl'] })
  expect(await statesOf(id)).toEqual(['unable', 'unable'])
  for (const [form, wrong] of [
    ['light', sound.id],
    ['sound', light.id],
    ['sound', world.ctx.newId()],
  ] as const)
    expect((await give(id, form, wrong)).status).toBe(422)
  expect((await readError(await give(id, 'sound', light.id))).fields).toEqual({
    file: 'Choose a members-only audio file.',
  })
  await give(id, 'light', light.id)
  expect(await (await give(id, 'sound', sound.id)).json()).toMatchObject({
    film: { name: 'Vans.mp4', bytes: 5_000_000 },
    versions: [
      { form: 'light', state: 'given', file: { name: 'Vans, small.mp4', bytes: 3_000 } },
      { form: 'sound', state: 'given', file: { name: 'Vans.m4a' } },
    ],
  })

  const [xl, lite] = [member('xl'), member('lite')]
  const without = ({ id: _, ...file }: typeof videoFile) => file
  const [video] = (await shelfOf(xl)).lessons
  expect(video).toEqual({
    videoId: id,
    isPreparing: false,
    film: without(videoFile),
    light: without(light),
    sound: without(sound),
  })
  expect((await shelfOf(lite)).lessons).toEqual([])
  for (const { address } of [light, sound])
    for (const path of [address, `${address}/pieces`])
      expect([(await xl(path)).status, (await lite(path)).status, (await world.call(path)).status]).toEqual([
        200, 404, 401,
      ])

  const inUse = await owner(`/api/admin/media/${light.id}`, { method: 'DELETE' })
  expect([inUse.status, (await readError(inUse)).message]).toEqual([
    409,
    'This file is used in “Vans” (light video). Remove it there first.',
  ])
  expect(await (await remove(id, 'light')).json()).toMatchObject({ versions: [{ state: 'unable', file: null }, {}] })
  expect((await xl(light.address)).status).toBe(404)
  expect((await owner(`/api/admin/media/${light.id}`, { method: 'DELETE' })).status).toBe(200)
})

test('a video hosted elsewhere is offered by its sound, once owners gave it', async () => {
  const sound = await storeFile(world, soundOf(2), 'Hosted.m4a')
  const { id } = await addOwnVideo(owner, 'Hosted')
  expect(await statesOf(id)).toEqual(['not-needed', 'not-needed'])
  await give(id, 'sound', sound.id)
  const offered = (await shelfOf(member('lite'))).lessons.find(({ videoId }) => videoId === id)
  expect(offered).toMatchObject({ isPreparing: false, film: null, light: null, sound: { sha256: sound.sha256 } })
})

test('without ffmpeg the job says so, and a small video needs no version', async () => {
  const small = await storeFile(world, videoFileOf(4_000, 3), 'Small.mp4')
  const { id } = await addOwnVideo(owner, 'Small', { filmFiles: [small.id] })
  expect(await statesOf(id)).toEqual(['not-needed', 'not-needed'])
  expect(await runJob(world.ctx, 'media-versions')).toEqual({
    skipped: false,
    report: { made: 0, refused: 0, left: 1, waits: 'ffmpeg isn’t on this machine' },
  })
})

/** Stands in for the outside program, to see what it's started with. */
function addTool(name: string, script: string): string {
  writeFileSync(join(tools, name), `#!/bin/sh\n${script}\n`)
  chmodSync(join(tools, name), 0o755)
  return join(tools, name)
}
const probed = { streams: ['video', 'audio'].map((codec_type) => ({ codec_type, disposition: { attached_pic: 0 } })) }

test('ffmpeg starts without our environment, with little priority and with limits; what it makes is checked', {
  tags: ['full'],
}, async () => {
  addTool('ffprobe', `echo '${JSON.stringify({ ...probed, format: { duration: '60.0' } })}'`)
  const ffmpeg = addTool(
    'ffmpeg',
    `{ env; echo "nice=$(nice) kb=$(ulimit -v) blocks=$(ulimit -f) seconds=$(ulimit -t)"; echo "$@"; } > ${tools}/report
    for target; do :; done
    echo '<html><script>' > "\${target#file:}"`,
  )
  const own = mkdtempSync(join(folder, 'own-'))
  const other = startWorld({ env: { DATA_DIR: relative('.', own), FFMPEG: relative('.', ffmpeg) } })
  const boss = other.signIn(other.addOwner())
  const videoFile = await storeFile(other, big, 'Vans.mp4')
  const { id } = await addOwnVideo(boss, 'Vans', { filmFiles: [videoFile.id] })
  expect(await statesOf(id, boss)).toEqual(['waiting', 'waiting'])
  expect(await runJob(other.ctx, 'media-versions')).toMatchObject({ report: { made: 0, refused: 2, left: 0 } })

  const lines = readFileSync(join(tools, 'report'), 'utf8').trim().split('\n')
  expect(lines.filter((line) => /^\w+=/.test(line) && !/^(PWD|OLDPWD|SHLVL|_|nice)=/.test(line))).toEqual([])
  expect(lines).toContain(`nice=19 kb=1048576 blocks=${Math.ceil(4_500_000 / 512)} seconds=240`)
  expect(lines.at(-1)).toMatch(/^-nostdin .*-threads 1 .*-protocol_whitelist file -f mov -i file:\//)

  expect((await versionsOf(id, boss)).versions.map(({ state, reason }) => [state, reason])).toEqual([
    ...[
      ['skipped', 'refused'],
      ['skipped', 'refused'],
    ],
  ])
  expect(await runJob(other.ctx, 'media-versions')).toMatchObject({ report: { refused: 0, left: 0 } })
  expect(await (await boss(at(id, '/light/make'), { method: 'POST' })).json()).toMatchObject({
    versions: [{ state: 'waiting' }, { state: 'skipped' }],
  })
})
