import { afterAll, beforeAll, expect, test } from 'vitest'
import { startStore, type TestStore } from './s3-store.ts'

let store: TestStore
beforeAll(async () => {
  store = await startStore()
})
afterAll(() => store.close())

test('the tests’ store lists and answers as S3 does: folders of folders, by name, whole however many, and with their length', async () => {
  const keys = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
  const client = new Bun.S3Client({
    bucket: 'nights',
    endpoint: new URL(store.url).searchParams.get('endpoint') ?? '',
    ...keys,
  })
  const names = ['a/b/two/wal/2', 'a/b/one/wal/1', 'a/b/one/wal/3', 'a/b/file', 'a/b/z', 'a/b.c', 'a/b-d']
  for (const name of names) await client.write(name, `of ${name}`)
  const folders = await client.list({ prefix: 'a/b/', delimiter: '/' })
  expect(folders.commonPrefixes?.map(({ prefix }) => prefix)).toEqual(['a/b/one/', 'a/b/two/'])
  expect(folders.contents?.map(({ key }) => key)).toEqual(['a/b/file', 'a/b/z'])
  const all = await client.list({ prefix: 'a/', maxKeys: 3 })
  expect(all.contents?.map(({ key }) => key)).toEqual(names.toSorted())
  const after = await client.list({ prefix: 'a/b/one/', startAfter: 'a/b/one/wal/1' })
  expect(after.contents?.map(({ key }) => key)).toEqual(['a/b/one/wal/3'])
  const answer = await fetch(client.presign('a/b/file'))
  expect([answer.headers.get('content-length'), await answer.text()]).toEqual(['11', 'of a/b/file'])
})
