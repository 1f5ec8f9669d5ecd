import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Context } from '#api/context.ts'
import { type Smtp, startSmtp } from '#api/mail/testing/smtp-server.ts'
import { addMembers, beside, ownerCookie } from '../bench/fixture.ts'
import { answerOf, countsThatDiffer, type Door } from './attempt.ts'
import { runTerminal, type Site, send, terminal } from './site.ts'

/** The mail server outlives the site, as a real one does. */
export async function openMailingDoor(): Promise<Door & { close(): Promise<void> }> {
  const smtp = await startSmtp()
  return {
    promise: 'Everyone gets the campaign. Who gets it twice gets the same email, with the same id.',
    env: { SMTP_URL: `smtp://127.0.0.1:${smtp.port}` },
    close: () => smtp.stop(),
    async open(site) {
      addMembers(site.dataDir, 40)
      return async () => {
        const cookie = ownerCookie(site.dataDir)
        const subject = `Campaign ${Bun.randomUUIDv7()}`
        const id = await sendCampaign(site, cookie, subject)
        const before = smtp.taken.length
        const ended = runMailings(site, cookie).catch(() => undefined)
        return {
          withinMs: 2000,
          ended,
          underWay: () => toCome(site, id),
          acknowledged: () => smtp.taken.length - before,
          check: () => checkCampaign(site, smtp, { id, subject }),
        }
      }
    },
  }
}

async function sendCampaign(site: Site, cookie: string, subject: string): Promise<string> {
  const segment = { tiers: [], state: 'with-access', progress: null, notSeenDays: null, joined: null }
  const json = { subject, text: 'The kettle is on.', purpose: 'service', segment, perMinute: 600 }
  const made = await answerOf(await send(site, '/api/admin/mailings', { json, cookie }), (body) => body)
  const query = 'purpose=service&state=with-access'
  const counted = await send(site, `/api/admin/mailing-audience/count?${query}`, { cookie })
  const gets = await answerOf(counted, (body) => body.gets)
  const off = { json: { version: made.version, gets }, cookie }
  await answerOf(await send(site, `/api/admin/mailings/${made.id}/send`, off), () => undefined)
  return String(made.id)
}

const runMailings = async (site: Site, cookie: string) =>
  (await send(site, '/api/admin/jobs/mailings/run', { json: {}, cookie })).text()

const toCome = (site: Site, id: string) =>
  beside(site.dataDir, ({ sqlite }) =>
    Number(
      sqlite
        .prepare(
          `select count(*) from mailing_recipients where "mailingId" = ? and status = 'waiting'
             or "mailingId" = ? and exists (select 1 from mail_outbox where "userId" = mailing_recipients."userId"
               and cause like '%' || "mailingId" || '%' and mail_outbox.status <> 'sent')`,
        )
        .pluck()
        .get(id, id),
    ),
  )

async function checkCampaign(site: Site, smtp: Smtp, { id, subject }: { id: string; subject: string }) {
  const cookie = ownerCookie(site.dataDir)
  const until = Date.now() + 90_000
  while (toCome(site, id) > 0 && Date.now() < until) {
    await runMailings(site, cookie)
    await Bun.sleep(200)
  }
  const left = toCome(site, id)
  const arrived = smtp.taken.filter(({ raw }) => raw.includes(subject))
  const idsOf = Map.groupBy(arrived, ({ to }) => to[0] ?? '')
  const people = beside(site.dataDir, ({ sqlite }) =>
    sqlite
      .prepare<[string], string>(
        `select users.email from mailing_recipients join users on users.id = "userId"
           where "mailingId" = ? and status = 'queued'`,
      )
      .pluck()
      .all(id),
  )
  return [
    ...(left === 0 ? [] : [`${left} emails of the campaign haven’t gone out`]),
    ...people.filter((to) => !idsOf.has(to)).map((to) => `${to} got nothing`),
    ...[...idsOf]
      .filter(([, mails]) => new Set(mails.map(({ messageId }) => messageId)).size > 1)
      .map(([to]) => `${to} got two different emails`),
  ]
}

/** The server goes on. It's the terminal's own process that dies. */
function attemptOf(child: ReturnType<typeof terminal>, lasted: number, check: () => Promise<string[]>) {
  const isOver = () => child.exitCode !== null
  return {
    // The first third is the program's own start.
    fromMs: lasted / 3,
    withinMs: 1.1 * lasted,
    ended: child.exited,
    check,
    underWay: () => Number(!isOver()),
    acknowledged: () => Number(isOver()),
    async kill() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

export const backupDoor: Door = {
  promise:
    'A file with a backup’s name is whole. What’s half-made has another name, and the next backup clears it away.',
  async open(site) {
    const folder = mkdtempSync(`${site.dataDir}-backups-`)
    const names = (isHalf: boolean) => readdirSync(folder).filter((name) => name.startsWith('.') === isHalf)
    const create = ['backup', 'create', '--to', folder]
    let lasted = (await runTerminal(site, create)).ms
    return async () =>
      attemptOf(terminal(site, create), lasted, async () => {
        const faults: string[] = []
        for (const name of names(false)) faults.push(...(await faultsOfBackup(site, join(folder, name))))
        const next = await runTerminal(site, create)
        lasted = next.ms
        if (next.code !== 0) faults.push(`the next backup ended with ${next.code}: ${next.err}`)
        faults.push(...names(true).map((name) => `${name} is left over`))
        for (const name of names(false)) rmSync(join(folder, name), { recursive: true })
        return faults
      })
  },
}

async function faultsOfBackup(site: Site, file: string): Promise<string[]> {
  const { code, err } = await runTerminal(site, ['backup', 'verify', file])
  return code === 0 ? [] : [`${file} isn’t whole: ${err}`]
}

/** The words of a command that puts an announcement up. */
export const announce = (fields: Record<string, string>) => [
  ...['api', 'POST', '/api/admin/announcements'],
  ...Object.entries(fields).flatMap(([name, value]) => ['-f', `${name}=${value}`]),
]

export const terminalDoor: Door = {
  promise:
    'What a command has confirmed is there once, and in the audit log. What it hasn’t is there whole, or not at all.',
  async open(site) {
    const announcement = { text: 'The kettle is on.', endsAt: new Date(Date.now() + monthMs).toISOString() }
    const add = (title: string) => announce({ title, ...announcement })
    return async () => {
      const title = `Notice ${Bun.randomUUIDv7()}`
      const { ms } = await runTerminal(site, add('Notice'))
      const child = terminal(site, add(title))
      return attemptOf(child, ms, async () =>
        beside(site.dataDir, (ctx) => checkNotice(ctx, title, child.exitCode === 0)),
      )
    }
  },
}

function checkNotice(ctx: Context, title: string, isConfirmed: boolean): string[] {
  const counted = ctx.sqlite.prepare('select count(*) from announcements where title = ?')
  const rows = Number(counted.pluck().get(title))
  return [
    ...(rows > 1 || (isConfirmed && rows !== 1) ? [`${title}: ${rows} rows`] : []),
    ...countsThatDiffer(ctx, audited, rows === 1 ? [title] : [], 1),
  ]
}

const monthMs = 31 * 86_400_000
const audited = `select count(*) from audit_entries join announcements on announcements.id = audit_entries."targetId"
  where announcements.title = wanted.value`
