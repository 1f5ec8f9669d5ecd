import sharp from 'sharp'
import { expect, test } from 'vitest'
import { addBoxes, trackOf } from '#api/testing/media.ts'
import { readError, startWorld } from '#api/testing/world.ts'
import type { MediaFile, MediaUpload } from '#shared/contract/media.ts'
import { chunkType } from '#shared/contract/upload-piece.ts'
import { problemOfTracks, readTracks } from '#shared/rules/video-tracks.ts'
import { detectFormat } from './content-rules.ts'

const world = startWorld({})
const owner = world.signIn(world.addOwner())
const uploads = '/api/admin/media/uploads'

/** The stored file, or why it was refused. */
async function upload(content: Uint8Array, name: string): Promise<MediaFile | string> {
  const fingerprint = new Bun.CryptoHasher('sha256').update(content).digest('hex')
  const begun = await owner(uploads, { body: { name, bytes: content.length, fingerprint, isPublic: false } })
  if (begun.status !== 200) return Object.values((await readError(begun)).fields ?? {}).join(' ')
  const { id }: MediaUpload = await begun.json()
  const sent = await world.handle(
    new Request(`http://localhost${uploads}/${id}`, {
      method: 'PATCH',
      headers: { cookie: owner.cookie, 'content-type': chunkType, 'upload-offset': '0' },
      body: new Uint8Array(content),
    }),
  )
  if (sent.status !== 200) return (await readError(sent)).message
  const response = await owner(`${uploads}/${id}/finish`, { method: 'POST' })
  return response.status === 200 ? response.json() : (await readError(response)).message
}

async function formatOf(content: Uint8Array, name: string): Promise<string> {
  const stored = await upload(content, name)
  return typeof stored === 'string' ? stored : stored.format
}

/** `seed` makes each file another. */
function sound(seed: number): Buffer {
  const frame = Buffer.alloc(417, seed)
  frame.set([0xff, 0xfb, 0x90, 0x00])
  return Buffer.concat(Array.from({ length: 20 }, () => frame))
}
const tag = (bytes: number, flags = 0) =>
  Buffer.concat([Buffer.from([0x49, 0x44, 0x33, 4, 0, flags, 0, 0, bytes >> 7, bytes & 0x7f]), Buffer.alloc(bytes)])
const ape = Buffer.from(`APETAGEX\0\0\0\0\x20\0\0\0${'\0'.repeat(16)}${'\0'.repeat(32)}`, 'latin1')

test('an MP3 is one with zeros, several tags or the end of a cut frame before its sound', async () => {
  const starts = {
    zeros: Buffer.alloc(64),
    'many zeros': Buffer.alloc(200_000),
    'two tags': Buffer.concat([tag(300), tag(2000)]),
    'zeros between tags': Buffer.concat([tag(300), Buffer.alloc(50), tag(300), Buffer.alloc(9)]),
    'a tag with a foot': Buffer.concat([tag(300, 0x10), Buffer.from('3DI\x04\0\x10\0\0\x02\x2c', 'latin1')]),
    'an APE tag': ape,
    'half a frame': sound(99).subarray(100, 417),
    nothing: Buffer.alloc(0),
  }
  for (const [at, [name, start]] of Object.entries(starts).entries())
    expect(await formatOf(Buffer.concat([start, sound(at + 1)]), 'talk.mp3'), name).toBe('mp3')
  for (const other of [Buffer.alloc(5000), tag(300), Buffer.concat([tag(300), Buffer.from('no sound '.repeat(900))])])
    expect(await formatOf(other, 'talk.mp3')).toMatch(/^You can upload mp4/)
})

test('a video whose picture no browser shows is refused with the way out, one without a picture is sound', async () => {
  const videoFile = (...tracks: Buffer[]) =>
    Buffer.concat([
      addBoxes([
        ['ftyp', 'isom\0\0\0\0isom'],
        ['mdat', 'x'],
      ]),
      addBoxes([['moov', Buffer.concat(tracks)]]),
    ])
  const voice = trackOf('soun', 'mp4a')
  for (const shown of ['avc1', 'avc3', 'av01', 'vp09', 'hvc1', 'hev1'])
    expect(await formatOf(videoFile(voice, trackOf('vide', shown)), 'film.mp4'), shown).toBe('mp4')
  // A chapter's pictures are a second track.
  expect(await formatOf(videoFile(trackOf('vide', 'avc1'), voice, trackOf('vide', 'jpeg')), 'film.mov')).toBe('mp4')
  expect(await formatOf(videoFile(voice), 'film.mp4')).toBe('m4a')
  const names = { mp4v: 'in an old format (mp4v)', jpeg: 'Motion-JPEG', apcn: 'ProRes', rle: '“rle”' }
  for (const [codec, name] of Object.entries(names))
    expect(await formatOf(videoFile(trackOf('vide', codec), voice), 'film.mov')).toBe(
      `This video is ${name}. Phones and computers play it without a picture. Export it as MP4 with H.264 and AAC and upload that. HandBrake does it, and it’s free.`,
    )
})

test('H.264 in a profile few phones play is told of, and taken', async () => {
  const told = async (profile: number, codec = 'avc1') => {
    const videoFile = Buffer.concat([
      addBoxes([['ftyp', 'isom\0\0\0\0isom']]),
      addBoxes([['moov', trackOf('vide', codec, profile)]]),
    ])
    const tracks = await readTracks(new Blob([videoFile]))
    expect(await formatOf(videoFile, 'film.mp4')).toBe('mp4')
    return problemOfTracks(tracks)
  }
  for (const profile of [66, 77, 100]) expect(await told(profile)).toBeNull()
  const names = { 110: '10-bit', 122: '10-bit 4:2:2', 244: '4:4:4' }
  for (const [profile, name] of Object.entries(names))
    expect(await told(Number(profile), profile === '110' ? 'avc3' : 'avc1')).toEqual({
      mayGo: true,
      sentence: `This video is ${name}. Few phones can play that. Export it as MP4 with 8-bit H.264 (4:2:0) and upload that. HandBrake does it, and it’s free.`,
    })
})

test('an empty file is told so, whatever it’s called and however it comes', async () => {
  for (const name of ['a.mp4', 'a.vtt', 'a.pdf', 'a.jpg', 'a'])
    expect(await formatOf(new Uint8Array(), name)).toMatch(/^This file is empty\./)
  const sentence = 'This file is empty. Save or export it again, and upload that.'
  await expect(detectFormat(new Blob([]))).rejects.toThrow(sentence)
})

test('what people have on their phones is taken, or refused with what to do', async () => {
  const plain = sharp({ create: { width: 60, height: 40, channels: 3, background: '#a21' } })
  expect(await formatOf(await plain.clone().avif().toBuffer(), 'dave.avif')).toBe('webp')
  expect(await formatOf(Buffer.from('1\n00:00:01,000 --> 00:00:02,000\nOne'), 'a.srt')).toBe('vtt')
  expect(await formatOf(Buffer.from('0:00:00.599,0:00:04.160\nMorning'), 'a.sbv')).toBe('vtt')
  const moving = Buffer.from(`RIFF\x1e\0\0\0WEBPVP8X\x0a\0\0\0\x02${'\0'.repeat(99)}`, 'latin1')
  const box = (brand: string) =>
    addBoxes([
      ['ftyp', `${brand}\0\0\0\0${brand}`],
      ['moov', 'x'],
    ])
  const refusals: [name: string, content: Uint8Array, text: RegExp][] = [
    ['moving.webp', moving, /^This is an animated WebP, and we can only show it still/],
    ['moving.avif', box('avis'), /^This is an animated AVIF/],
    ['logo.svg', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /^This is a drawing \(SVG\)/],
    ['logo.svg', Buffer.from('<?xml version="1.0"?>\n<!-- made by hand -->\n<svg/>'), /^This is a drawing \(SVG\)/],
    ['a.3gp', box('3gp4'), /^This video is a 3GP, from an older phone\. Export it as MP4/],
    [
      'a.aac',
      Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc, 0, 0, 0]),
      /^This audio is an AAC\. Export it as MP3/,
    ],
    ['a.mp4', Buffer.alloc(0), /^This file is empty\. Save or export it again, and upload that\.$/],
  ]
  for (const [name, content, text] of refusals) expect(await formatOf(content, name), name).toMatch(text)
})
