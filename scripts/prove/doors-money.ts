import { beside } from '../bench/fixture.ts'
import { answerOf, countsThatDiffer, type Door } from './attempt.ts'
import type { Site } from './site.ts'

const monthMs = 31 * 86_400_000
const headers = { authorization: 'Bearer sk_test_sandbox', 'content-type': 'application/json' }

type Listed = { data: { id: string; amount_paid?: number }[]; has_more: boolean }

/** A month passes at the payment sandbox: everyone's renewal, with all its webhooks, while the server dies. */
export const webhookDoor: Door = {
  promise:
    'A webhook that was answered is processed. The others come again, and each payment has one invoice and one commission.',
  async open(site) {
    let lasted = 1500
    // What the seed told the sandbox, it didn't tell by webhook.
    const old = new Set((await told(site, 50)).map(({ id }) => id))
    return async () => {
      const to = beside(site.dataDir, (ctx) => new Date(ctx.billingNow().getTime() + monthMs)).toISOString()
      const before = beside(site.dataDir, (ctx) => countOf(ctx.sqlite.prepare('select count(*) from provider_events')))
      const from = performance.now()
      let isOver = false
      const ended = control(site, 'advance', { to }).then(
        () => {
          isOver = true
          lasted = performance.now() - from
        },
        () => undefined,
      )
      return {
        withinMs: lasted,
        ended,
        underWay: () => Number(!isOver),
        acknowledged: () => beside(site.dataDir, (ctx) => countOf(ctx.sqlite.prepare(processed)) - before),
        check: async () => [...(await lostEvents(site, old)), ...(await wrongPayments(site, to))],
      }
    }
  },
}

/** Answered, and not processed. */
async function lostEvents(site: Site, old: ReadonlySet<string>): Promise<string[]> {
  const ids = (await told(site, 2)).map(({ id }) => id).filter((id) => !old.has(id))
  const once = `select count(*) from provider_events where id = wanted.value and "processedAt" is not null`
  return beside(site.dataDir, (ctx) => countsThatDiffer(ctx, once, ids, 1))
}

/** Once the month is over and everything is delivered. */
async function wrongPayments(site: Site, to: string): Promise<string[]> {
  await control(site, 'advance', { to })
  await deliverAll(site)
  const paid = (await list(site, 'invoices', 'status=paid')).filter(({ amount_paid = 0 }) => amount_paid > 0)
  const ids = paid.map(({ id }) => id)
  return beside(site.dataDir, (ctx) => [
    ...countsThatDiffer(ctx, 'select count(*) from invoices where "providerInvoiceId" = wanted.value', ids, 1),
    ...countsThatDiffer(ctx, `select count(*) from commission_ledger ${ofInvoice}`, ids, 1),
  ])
}

/** The newest events that were answered, a hundred a page. */
const told = (site: Site, pages: number) => list(site, 'events', 'delivery_success=true', pages)

const processed = `select count(*) from provider_events where "processedAt" is not null`
const ofInvoice = `join invoices on invoices.id = commission_ledger."invoiceId"
  where commission_ledger.kind = 'invoice' and invoices."providerInvoiceId" = wanted.value`

const countOf = (statement: { pluck(): { get(): unknown } }) => Number(statement.pluck().get())

/** A control of the sandbox. It waits as long as it takes: a month has many webhooks. */
const control = async (site: Site, path: string, json?: unknown) =>
  answerOf(
    await fetch(`${site.providerUrl}/_sandbox/${path}`, {
      ...(json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) }),
      headers,
    }),
    (body) => body,
  )

/** What had no answer is delivered again by the sandbox itself. This spares us its hour. */
async function deliverAll(site: Site): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    const { pending } = await control(site, 'webhooks')
    if (Array.isArray(pending) && pending.length === 0) return
    await control(site, 'webhooks/release', {})
  }
  throw new Error('Webhooks are still waiting.')
}

async function list(site: Site, what: string, filter: string, pages = 50): Promise<Listed['data']> {
  const found: Listed['data'] = []
  for (let page = 0; page < pages; page += 1) {
    const after = found.at(-1)
    const query = `${filter}&limit=100${after === undefined ? '' : `&starting_after=${after.id}`}`
    const { data, has_more }: Listed = await (
      await fetch(`${site.providerUrl}/v1/${what}?${query}`, { headers })
    ).json()
    found.push(...data)
    if (!has_more) break
  }
  return found
}
