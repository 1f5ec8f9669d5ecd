import { resolve } from 'node:path'
import type { Command } from 'commander'
import { addToQuery, apiMethods, type FieldTree, putField, splitField, typedValue } from '#cli/api-fields.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import type { Send, Sent } from '#cli/connection.ts'
import { CliError, exitCodes, usageError } from '#cli/exit-codes.ts'
import { examples } from '#cli/help.ts'
import { type Io, write } from '#cli/io.ts'
import { readNamed } from '#cli/named-file.ts'
import { isForScript, print, toJson, writeCsvStream } from '#cli/output.ts'
import { nextCursor, responseError, unexpectedResponse } from '#cli/request.ts'
import { finishOnce, withoutSignal } from '#cli/rows.ts'

type ApiOptions = SharedOptions & {
  rawField?: string[]
  field?: string[]
  header?: string[]
  input?: string
  paginate?: true
  dryRun?: true
}

export function registerApi(api: Command, io: Io): void {
  const collect = (one: string, all: string[] = []) => [...all, one]
  api
    .argument('<method-or-path>', 'GET, POST, PUT, PATCH or DELETE; without it GET, or POST with fields')
    .argument('[path]', 'such as /api/admin/members, or admin/members')
    .option('-f, --raw-field <name=text>', 'a field of text', collect)
    .option(
      '-F, --field <name=value>',
      'a field: true, false, null, a whole number, text, @file or @- (stdin)',
      collect,
    )
    .option('-H, --header <name: value>', 'a header', collect)
    .option('--input <file>', 'send this file as the body (- for stdin); fields go into the address')
    .option('--paginate', 'read all pages of a list')
    .option('--dry-run', 'say what would happen, where the call can')
    .addHelpText(
      'after',
      `
name.part and name[part] nest, name[] makes a list, name[][part] a list of
objects. With GET, fields go into the address; with another, write what goes
there yourself: …/ID?version=3. The calls are on /api/docs.
A call that changes something has a new Idempotency-Key each time. To repeat
one safely, send your own with -H.
${examples(
  `api GET /api/admin/members -f q=sam --paginate --jq '.[].email'`,
  `api /api/admin/announcements -f title=Shut -F text=@note.md -f endsAt=2026-12-28T09:00:00Z`,
  'api DELETE /api/admin/members/sam@example.com --dry-run',
)}`,
    )
    .action((first: string, second: string | undefined, _own, command: Command) =>
      callApi(
        io,
        command.optsWithGlobals<ApiOptions>(),
        second === undefined ? { path: first } : { method: first, path: second },
      ),
    )
}

type Target = { method?: string; path: string }

async function callApi(io: Io, options: ApiOptions, target: Target): Promise<void> {
  // A plan has no facts of such a call.
  if (io.plan !== undefined) throw (await import('#cli/plan.ts')).otherCommand()
  if (options.csv !== undefined) throw usageError('A call answers JSON: --json or --jq.')
  const call = await readCall(io, options, target)
  if (call.sent.method === 'GET')
    return withClient(io, options, (_client, _siteUrl, send) => readAll(io, options, { send, call }))
  await withClient(withoutSignal(io), options, async (_client, _siteUrl, send) => {
    if (options.dryRun) await addDryRun(send, call)
    const response = await finishOnce(io, () => sendCall(send, call))
    await printAnswer(io, options, response)
  })
}

type ApiCall = { path: string; query: URLSearchParams; fields: FieldTree | null; sent: Sent }

async function readCall(io: Io, options: ApiOptions, { method, path }: Target): Promise<ApiCall> {
  const { rawField = [], field = [], header = [], input, paginate, dryRun } = options
  const fields: FieldTree = {}
  for (const { name, text } of rawField.map(splitField)) putField(fields, name, text)
  for (const { name, text } of field.map(splitField)) {
    const [, file] = /^@(.*)$/s.exec(text ?? '') ?? []
    putField(fields, name, file === undefined ? text && typedValue(text) : String(await readFile(io, file)))
  }
  const hasFields = Object.keys(fields).length > 0
  const wanted = (method ?? (hasFields || input !== undefined ? 'POST' : 'GET')).toUpperCase()
  if (!apiMethods.includes(wanted)) throw usageError(`${method} isn’t a method. There are: ${apiMethods.join(', ')}.`)
  if (wanted === 'GET' && input !== undefined) throw usageError('GET sends no body. Leave out --input.')
  if (wanted === 'GET' && dryRun) throw usageError('GET changes nothing, so it has no dry run.')
  if (wanted !== 'GET' && paginate) throw usageError('--paginate is for GET.')
  const at = new URL(pathOf(path), 'http://localhost')
  const isInBody = wanted !== 'GET' && input === undefined
  if (!isInBody) addToQuery(at.searchParams, fields)
  const ownKey: [string, string][] = wanted === 'GET' ? [] : [['idempotency-key', Bun.randomUUIDv7()]]
  const headers = Object.fromEntries([...ownKey, ...header.map(splitHeader)])
  const body = input === undefined ? {} : { body: await readFile(io, input) }
  return {
    path: at.pathname,
    query: at.searchParams,
    fields: isInBody && hasFields ? fields : null,
    sent: { method: wanted, headers, ...body },
  }
}

/** Only ever a path: the login mustn't go to another server. */
function pathOf(given: string): string {
  if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(given)) throw usageError('Enter the path alone; the server is --api.')
  const [variable] = /\{\w*\}/.exec(given) ?? []
  if (variable !== undefined) throw usageError(`Put a value in place of ${variable}.`)
  return given.startsWith('/') ? given : `/api/${given.replace(/^api\//, '')}`
}

function splitHeader(header: string): [string, string] {
  const [, name = '', value = ''] = /^([\w-]+):\s*([\t -~]*)$/.exec(header) ?? []
  if (name === '') throw usageError(`${header}: Write it as name: value.`)
  return [name.toLowerCase(), value]
}

const readFile = async (io: Io, name: string): Promise<Buffer<ArrayBuffer>> =>
  name === '-' ? (await import('#cli/prompt.ts')).readStdinBytes(io) : Buffer.from(readNamed(resolve(io.cwd, name)))

/** A call that doesn't know `dryRun` might ignore it and act, so only one that does is sent. */
async function addDryRun(send: Send, call: ApiCall): Promise<void> {
  const { readOperations, operationFor } = await import('#cli/api-document.ts')
  const operations = await readOperations(send)
  if (operations === null)
    throw usageError('The server doesn’t say which calls have a dry run (API_DOCS=1 in its .env). Nothing was sent.')
  const place = operationFor(operations, call.sent.method, call.path)?.dryRun ?? null
  if (place === null) throw usageError(`${call.sent.method} ${call.path} has no dry run. Nothing was sent.`)
  if (place === 'query') return call.query.set('dryRun', 'true')
  if (call.sent.body !== undefined)
    throw usageError('With --input, write "dryRun": true into the file. Nothing was sent.')
  call.fields = { ...call.fields, dryRun: true }
}

function sendCall(send: Send, { path, query, fields, sent }: ApiCall): Promise<Response> {
  const body = fields === null ? sent.body : JSON.stringify(fields)
  const address = query.size === 0 ? path : `${path}?${query}`
  if (body === undefined) return send(address, sent)
  return send(address, { ...sent, headers: { 'content-type': 'application/json', ...sent.headers }, body })
}

async function readAll(io: Io, options: ApiOptions, { send, call }: { send: Send; call: ApiCall }): Promise<void> {
  let response = await sendCall(send, call)
  if (!options.paginate || !response.ok) return printAnswer(io, options, response)
  const all: unknown[] = []
  for (;;) {
    const page = await jsonOf(response)
    if (!Array.isArray(page)) throw usageError('This isn’t a list. Leave out --paginate.')
    all.push(...page)
    const cursor = nextCursor(response.headers.get('link'))
    if (cursor === null) return printJson(io, options, all)
    call.query.set('cursor', cursor)
    response = await sendCall(send, call)
    if (!response.ok) throw await errorOf(response)
  }
}

async function printAnswer(io: Io, options: ApiOptions, response: Response): Promise<void> {
  if (!response.ok) throw await errorOf(response)
  const type = response.headers.get('content-type') ?? ''
  if (response.body === null || response.status === 204) return
  if (/^application\/(\w+\+)?json/.test(type)) return printJson(io, options, await jsonOf(response))
  if (isForScript(options)) throw usageError(`This call answers ${type}, not JSON.`)
  if (type.startsWith('text/')) return writeCsvStream(io, response.body)
  if (io.isTTY.stdout) throw usageError('This is a file. Add > and its name.')
  for await (const chunk of response.body) await write(io.stdout, chunk)
}

const printJson = (io: Io, options: ApiOptions, json: unknown) =>
  print(io, options, { json, csv: () => ({ head: [], rows: [] }), text: () => `${toJson(json)}\n` })

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    throw new CliError(exitCodes.failed, unexpectedResponse)
  }
}

/** Each field's sentence with its name, as it was typed. */
async function errorOf(response: Response): Promise<CliError> {
  const value: unknown = await response.json().catch(() => null)
  const { exitCode, message, fields, code } = responseError({ error: { value }, status: response.status }, response)
  const named = Object.entries(fields).map(([name, sentence]) => `${name}: ${sentence}`)
  return new CliError(exitCode, named.length > 0 ? named.join(' ') : message, fields, code)
}
