import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readTar, writeTar } from './tar.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'alliance-tar-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

async function* inPieces(bytes: Uint8Array, length = 700) {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function contentsOf(tar: Uint8Array) {
  const found: [string, string][] = []
  for await (const { name, content } of readTar(inPieces(tar)))
    found.push([name, Buffer.concat(await Array.fromAsync(content)).toString()])
  return found
}

const long = `${'a'.repeat(90)}/${'b'.repeat(90)}`
const files: [string, string][] = [
  ['manifest.json', '{}'],
  [long, 'drill '.repeat(500)],
  ['empty', ''],
]

async function* entries() {
  for (const [name, text] of files) {
    const bytes = Buffer.from(text)
    yield { name, bytes: bytes.length, content: inPieces(bytes) }
  }
}

const run = (...argv: string[]) => Bun.spawnSync(['tar', '-C', folder, ...argv]).stdout
const made = async () => Buffer.concat(await Array.fromAsync(writeTar(entries())))

test('any tar reads ours, and we read those of any, with names of any length', async () => {
  writeFileSync(join(folder, 'ours.tar'), await made())
  run('-xf', join(folder, 'ours.tar'))
  for (const [name, text] of files) expect(await Bun.file(join(folder, name)).text()).toBe(text)
  for (const format of ['gnu', 'pax', 'ustar']) {
    const theirs = run('-cf', '-', `--format=${format}`, ...files.map(([name]) => name))
    expect([format, await contentsOf(theirs)]).toEqual([format, files])
  }
})

test('one that’s cut off anywhere is refused, and so is what’s no tar', async () => {
  const tar = await made()
  const last = tar.length - 1024
  for (const end of [100, 514, 1100, 1600, 3000, last - 1])
    await expect(contentsOf(tar.subarray(0, end)), `${end}`).rejects.toThrow('The archive is cut off.')
  await expect(contentsOf(Buffer.alloc(2000, 'no tar'))).rejects.toThrow('This isn’t an archive.')
})

test('a file may be larger than 8 GB', async () => {
  const bytes = 9 * 1024 ** 3
  const videoFile = (async function* () {
    yield { name: 'film', bytes, content: inPieces(Buffer.alloc(100)) }
  })()
  const header = await writeTar(videoFile).next()
  const read = await readTar(inPieces(header.value ?? Buffer.alloc(0))).next()
  expect(read.value).toMatchObject({ name: 'film', bytes })
})

test('a backup of a version with its own writer comes in', async () => {
  const header = Buffer.alloc(512)
  for (const [text, at] of [
    ['manifest.json', 0],
    ['0000600\0', 100],
    ['0000000\0', 108],
    ['0000000\0', 116],
    ['00000000002\0', 124],
    ['00000000000\0', 136],
    ['        0', 148],
    ['ustar\x0000', 257],
  ] as const)
    header.write(text, at)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  const tar = Buffer.concat([header, Buffer.from('{}'), Buffer.alloc(510 + 1024)])
  expect(await contentsOf(tar)).toEqual([['manifest.json', '{}']])
})
