import { rmSync } from 'node:fs'
import { raiseBillingOffset } from '#api/billing-clock.ts'
import type { Context } from '#api/context.ts'
import { makePrivateFile, sandboxFile } from '#api/db/data-dir.ts'
import { lockDataDir } from '#api/db/server-lock.ts'
import { isDamageError } from '#api/db/sqlite-errors.ts'
import { toStartupError } from '#api/db/startup-error.ts'
import { AppError, notFound } from '#api/errors.ts'
import { receiveEvent } from '#api/features/reconcile/webhook-service.ts'
import { errorMessage } from '#api/log.ts'
import type { Sandbox, SandboxOptions } from '#api/sandbox/server.ts'
import { closedPolicy } from '#api/serving/closed-policy.ts'
import { webhookPath } from '#api/serving/paths.ts'
import { portTaken, StartupError } from '#api/settings.ts'

/** Browsers reach the sandbox's pages and card calls through our own origin. */
const sandboxProxyPath = '/sandbox/stripe'

/** Throws if it can't be a regular file. A link to another disk, for example, isn't ours to remove. */
export function removeSandboxFile(ctx: Context): void {
  const file = sandboxFile(ctx.settings.dataDir)
  makePrivateFile(file)
  for (const ending of ['', '-wal', '-shm']) rmSync(`${file}${ending}`, { force: true })
}

type OpenOptions = {
  /** Keeps everything in memory, until `saveAs`. */
  isInMemory?: true
  deliver?: NonNullable<SandboxOptions['webhook']['deliver']>
  clock?: SandboxOptions['clock']
  /** Receives the error behind a failed request, instead of the log. */
  onFailure?: (error: unknown) => void
}

/** Throws a one-line `StartupError` if its file can't be opened: the raw error would look like the site database's. */
export async function openSandbox(ctx: Context, options: OpenOptions = {}): Promise<Sandbox> {
  const file = sandboxFile(ctx.settings.dataDir)
  try {
    makePrivateFile(file)
    return await startOnFile(ctx, file, options)
  } catch (error) {
    throw toSandboxError(file, error)
  }
}

const toSandboxError = (file: string, error: unknown): unknown =>
  isDamageError(error) ? new StartupError(damagedLine(file, errorMessage(error))) : toStartupError(error, file)

/** Its data is play money, but the site's rows refer to it. */
const damagedLine = (file: string, finding: string) =>
  `The payment sandbox’s file is damaged: ${finding}. Restore a copy of ${file}, or start a new sandbox in another DATA_DIR.`

async function startOnFile(
  ctx: Context,
  file: string,
  { isInMemory, deliver, clock, onFailure }: OpenOptions,
): Promise<Sandbox> {
  const { settings } = ctx
  // Imported here because it's large, and only a server or a moved clock needs it.
  const { PortError, startSandbox } = await import('#api/sandbox/server.ts')
  const sandbox = startSandbox({
    file: isInMemory ? ':memory:' : file,
    port: settings.sandboxPort,
    clock: clock ?? {
      now: ctx.billingNow,
      moveTo: (at) => raiseBillingOffset(ctx, at.getTime() - ctx.now().getTime()),
    },
    webhook: {
      url: () => `http://127.0.0.1:${settings.port}${webhookPath}`,
      secret: settings.stripe.webhookSecret,
      now: ctx.now,
      ...(deliver === undefined ? {} : { deliver }),
    },
    pagesUrl: () => `${settings.publicUrl}${sandboxProxyPath}`,
    log: (message) => ctx.log.info(`sandbox: ${message}`),
    ...(onFailure === undefined ? {} : { onFailure: (error) => onFailure(toSandboxError(file, error)) }),
  })
  // Another server may have taken the port since we checked.
  return sandbox.catch((error) => {
    throw error instanceof PortError ? portTaken(settings.sandboxPort, 'SANDBOX_PORT') : error
  })
}

/** Starts the data folder's sandbox while no server runs. This process receives its webhooks. */
export async function openSandboxInProcess(ctx: Context): Promise<Sandbox> {
  try {
    return await openSandbox(ctx, {
      deliver: async (request) => {
        await receiveEvent(ctx, await request.text(), request.headers.get('stripe-signature'))
        return new Response()
      },
    })
  } catch (error) {
    throw toUnavailable(error)
  }
}

/** Turns a startup error into a response for the person who asked. */
const toUnavailable = (error: unknown): unknown =>
  error instanceof StartupError ? new AppError('payment_provider_unavailable', error.message) : error

export type SandboxControl = (route: string, body?: unknown) => Promise<unknown>

export function sandboxControlAt({ settings }: Context, url: string): SandboxControl {
  return async (route, body) => {
    const [method = '', path] = route.split(' ')
    const headers = { authorization: `Bearer ${settings.stripe.secretKey}`, 'content-type': 'application/json' }
    const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}/_sandbox/${path}`, init).catch(() => null)
    if (!response?.ok) throw new AppError('payment_provider_unavailable', 'The sandbox couldn’t do that.')
    return response.json()
  }
}

/** Controls the running server's sandbox. Null if no server holds this data folder, because the port may belong to another one. */
export function findRunningSandbox(ctx: Context): SandboxControl | null {
  try {
    const lock = lockDataDir(ctx.settings.dataDir)
    lock?.release()
    return lock === null ? sandboxControlAt(ctx, `http://127.0.0.1:${ctx.settings.sandboxPort}`) : null
  } catch (error) {
    throw toUnavailable(error)
  }
}

/** Runs `work` with the running server's sandbox, or with the data folder's own while no server runs. */
export async function withSandboxControl<Result>(
  ctx: Context,
  work: (control: SandboxControl) => Promise<Result>,
): Promise<Result> {
  if (!ctx.settings.isSandbox) throw notFound('The sandbox')
  const running = findRunningSandbox(ctx)
  if (running !== null) return work(running)
  const sandbox = await openSandboxInProcess(ctx)
  try {
    return await work(sandboxControlAt(ctx, sandbox.url))
  } finally {
    await sandbox.stop()
  }
}

/** What a browser may reach: the card calls the publishable key allows, and the pages for people. */
const allowedPaths = [
  /^\/v1\/payment_methods$/,
  /^\/v1\/(payment|setup)_intents\/\w+(\/confirm)?$/,
  /^\/(3ds|paypal)\/\w+(\/(complete|fail))?$/,
  /^\/invoice\/\w+(\/pdf)?$/,
  /^\/credit_note\/\w+\/pdf$/,
  /^\/style\.css$/,
]

/** Forwards a browser's request to the sandbox, so that it works wherever the site does. */
export async function proxyToSandbox(ctx: Context, request: Request, body: string | null): Promise<Response> {
  const { pathname, search } = new URL(request.url)
  const path = pathname.slice(sandboxProxyPath.length)
  if (!allowedPaths.some((pattern) => pattern.test(path))) throw notFound()
  const headers = new Headers()
  for (const name of ['authorization', 'content-type', 'idempotency-key']) {
    const value = request.headers.get(name)
    if (value !== null) headers.set(name, value)
  }
  const isPublishable = headers.get('authorization') === `Bearer ${ctx.settings.stripe.publishableKey}`
  if (path.startsWith('/v1/') && !isPublishable) throw notFound()
  const response = await fetch(`http://127.0.0.1:${ctx.settings.sandboxPort}${path}${search}`, {
    method: request.method,
    headers,
    body,
    redirect: 'manual',
  })
  const location = response.headers.get('location')
  const type = response.headers.get('content-type') ?? 'text/plain'
  return new Response(response.body, {
    status: response.status,
    headers: {
      'content-type': type,
      'cache-control': 'no-store',
      ...(type.startsWith('text/html') ? {} : { 'content-security-policy': closedPolicy }),
      ...(location === null ? {} : { location }),
    },
  })
}
