import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-6'
import type { Call } from './world.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

type Answer = { data?: unknown; error?: unknown; response?: Response }
/** A generated function for one operation. It throws where its validator refuses the answer. */
type Operation = (options: object) => Promise<Answer>

/** A client for the API's document, made by a program that isn't ours, in a folder of its own. */
export async function generateClient(document: string) {
  const folder = mkdtempSync(join(tmpdir(), 'alliance-client-'))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  // TypeScript 7 has no API for programs like this one yet.
  Bun.plugin({
    name: 'the last TypeScript with an API',
    setup: (build) => void build.module('typescript', () => ({ exports: { default: ts, ...ts }, loader: 'object' })),
  })
  const { createClient } = await import('@hey-api/openapi-ts')
  await createClient({
    input: JSON.parse(document),
    output: join(folder, 'client'),
    plugins: ['@hey-api/client-fetch', { name: '@hey-api/sdk', validator: true }, 'zod'],
    logs: { level: 'silent' },
  })
  return {
    /** What our compiler says of it with our own settings; empty if nothing. */
    compile(): string {
      const config = join(folder, 'tsconfig.json')
      writeFileSync(config, JSON.stringify({ extends: join(root, 'tsconfig.json'), include: ['client'], exclude: [] }))
      const tsc = join(root, 'node_modules/.bin/tsc')
      return Bun.spawnSync([tsc, '--noEmit', '-p', config], { cwd: folder }).stdout.toString()
    },
    /** Calls an operation by its id, as the person `call` is logged in as. */
    async ask(call: Call, id: string, options: object = {}): Promise<Answer> {
      const operations: Record<string, Operation> = await import(join(folder, 'client/sdk.gen.ts'))
      const operation = Object.entries(operations).find(([name]) => bare(name) === bare(id))?.[1]
      if (operation === undefined) throw new Error(`The client has no ${id}.`)
      return operation({ ...options, baseUrl: 'http://localhost', fetch: fetchAs(call), throwOnError: false })
    },
    remove: () => rmSync(folder, { recursive: true }),
  }
}

/** It writes names its own way. */
const bare = (name: string) => name.replace(/\W/g, '').toLowerCase()

const fetchAs = (call: Call) => async (request: Request) => {
  const { pathname, search } = new URL(request.url)
  const text = await request.text()
  return call(pathname + search, {
    method: request.method,
    headers: Object.fromEntries(request.headers),
    ...(text === '' ? {} : { body: JSON.parse(text) }),
  })
}
