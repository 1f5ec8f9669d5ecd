import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from 's3rver'
import { litestreamProgram } from './litestream.ts'

export type TestStore = {
  /** The address for `LITESTREAM_URL` and its like. `plain` knows no conditional writes, as s3rver is. */
  url: string
  plain: string
  /** How many of the next requests are answered with 503 SlowDown. */
  busy: number
  /** How long it takes to begin an answer. */
  delayMs: number
  /** Cuts its connections and takes no others, until it's back at the same address. */
  leave(): Promise<void>
  comeBack(): void
  /** Everything in it was stored at this time. */
  backdate(to: Date): void
  env: Record<string, string>
  close(): Promise<void>
}

/** A real S3 server that takes any key for any other, and one before it that also refuses what other stores refuse. */
export async function startStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-s3-'))
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: folder,
    configureBuckets: [{ name: 'nights', configs: [] }],
  })
  mendListing(server)
  const { port } = await server.run()
  const taken = new Set<string>()
  const serve = (at: number) =>
    Bun.serve({ port: at, hostname: '127.0.0.1', development: false, fetch: (request) => passOn(request) })
  let proxy = serve(0)
  const proxyPort = proxy.port ?? 0
  async function passOn(request: Request): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    if (store.delayMs > 0) await Bun.sleep(store.delayMs)
    if (store.busy > 0) {
      store.busy -= 1
      return refusal(503, 'SlowDown')
    }
    const isConditional = request.method === 'PUT' && request.headers.get('if-none-match') === '*'
    if (isConditional && taken.has(pathname)) return refusal(412, 'PreconditionFailed')
    if (isConditional) taken.add(pathname)
    if (request.method === 'DELETE') taken.delete(pathname)
    const { method, headers } = request
    // The signature covers the host.
    const to = `http://127.0.0.1:${port}${pathname}${search}`
    const answer = await fetch(to, { method, headers, body: await request.bytes() })
    // Passed on as a stream, an answer loses its Content-Length, which Litestream needs.
    return method === 'GET' ? new Response(await answer.bytes(), answer) : answer
  }
  const urlAt = (at: number | undefined) => `s3://nights/alliance?endpoint=http://127.0.0.1:${at}`
  const store: TestStore = {
    url: urlAt(proxyPort),
    plain: urlAt(port),
    busy: 0,
    delayMs: 0,
    env: {
      LITESTREAM: '1',
      LITESTREAM_URL: urlAt(proxyPort),
      LITESTREAM_PROGRAM: litestreamProgram,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    leave: () => proxy.stop(true),
    comeBack() {
      proxy = serve(proxyPort)
    },
    backdate(to) {
      for (const path of readdirSync(folder, { recursive: true })) utimesSync(join(folder, String(path)), to, to)
    },
    async close() {
      await proxy.stop(true)
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return store
}

type ListOptions = { prefix?: string; delimiter?: string; startAfter?: string }
type Listing = { objects: { key: string }[]; commonPrefixes: string[]; isTruncated: boolean }
type ListingStore = { listObjects(bucket: string, options: ListOptions): Promise<Listing> }

/**
 * s3rver leaves out a folder whose objects all lie in folders of their own, lists in the disk's order, and can't page in Bun, whose
 * cipher for its tokens is missing. Here a list is by name, as S3's are, and in one page.
 */
function mendListing({ store }: S3rver & { store?: ListingStore }): void {
  if (store === undefined) throw new Error('This s3rver has no store to mend.')
  const listAll = store.listObjects.bind(store)
  store.listObjects = async (bucket, { prefix = '', delimiter = '', startAfter = '' }) => {
    const { objects } = await listAll(bucket, { prefix })
    const found = new Map<string, { key: string } | null>()
    for (const object of objects) {
      const end = delimiter === '' ? -1 : object.key.indexOf(delimiter, prefix.length)
      const name = end === -1 ? object.key : object.key.slice(0, end + delimiter.length)
      if (name > startAfter) found.set(name, end === -1 ? object : null)
    }
    const sorted = [...found].sort(([one], [other]) => (one < other ? -1 : 1))
    return {
      objects: sorted.flatMap(([, object]) => object ?? []),
      commonPrefixes: sorted.flatMap(([name, object]) => (object === null ? name : [])),
      isTruncated: false,
    }
  }
}

const refusal = (status: number, code: string) =>
  new Response(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`, { status })
