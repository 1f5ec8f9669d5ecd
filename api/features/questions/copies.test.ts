// @module-tag full
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { runJob } from '#api/features/operations/jobs/service.ts'
import { webmOf } from '#api/testing/question-files.ts'
import { asker } from '#api/testing/questions.ts'
import { startWorld } from '#api/testing/world.ts'

const program = 'ffmpeg'

/** What it records from a tone. */
function recorded(...output: string[]): Buffer {
  const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=3', '-ac', '1']
  const { status, stdout, stderr } = spawnSync(program, ['-v', 'error', ...tone, ...output, 'pipe:1'])
  if (status !== 0) throw new Error(`The full run needs ffmpeg: ${stderr}`)
  return stdout
}

const opus = () => recorded('-c:a', 'libopus', '-b:a', '32k', '-f', 'webm')
const aac = () =>
  recorded('-c:a', 'aac', '-movflags', 'frag_keyframe+empty_moov', '-frag_duration', '1000000', '-f', 'mp4')

test('where there’s ffmpeg, a voice note of Opus has an AAC copy with its length, and one of AAC needs none', async () => {
  const world = startWorld({ env: { FFMPEG: program } })
  const danny = asker(world, world.addMember())
  const [asOpus, asAac] = [await danny.send('voice', opus()), await danny.send('voice', aac())]
  for (const { durationMs, state } of [asOpus, asAac]) {
    expect(state).toBe('ready')
    expect(Math.abs((durationMs ?? 0) - 3000)).toBeLessThan(60)
  }
  await runJob(world.ctx, 'question-files')
  const state = async (id: string) => (await (await danny.call(`/api/members/question-files/${id}`)).json()).file
  expect([(await state(asOpus.id)).hasAac, (await state(asAac.id)).hasAac]).toEqual([true, false])
  const copy = await danny.file(asOpus, 'aac')
  expect([copy.status, copy.headers.get('content-type')]).toEqual([200, 'audio/mp4'])
  expect(Buffer.from(await copy.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp')
})

test('a voice note that ffmpeg can’t read is served as it came, and isn’t tried again', async () => {
  const world = startWorld({ env: { FFMPEG: program } })
  const danny = asker(world, world.addMember())
  const file = await danny.send('voice', webmOf(3))
  await runJob(world.ctx, 'question-files')
  const waiting = world.ctx.sqlite.prepare('select count(*) from question_files where copiedAt is null').pluck()
  expect(waiting.get()).toBe(0)
  expect((await danny.file(file)).status).toBe(200)
})
