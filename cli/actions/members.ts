import { ask, askPage, typed } from '#cli/ask.ts'
import { type SharedOptions, withClient } from '#cli/client.ts'
import { wrongUsage } from '#cli/exit.ts'
import { type Io, say } from '#cli/io.ts'
import { formatOf, isForScript, print } from '#cli/output.ts'
import { countOf, rowsOf } from '#cli/pages.ts'
import { agree } from '#cli/prompt.ts'
import { memberReport } from '#cli/reports/member.ts'
import { membersReport } from '#cli/reports/members.ts'
import { refundReport } from '#cli/reports/refund.ts'
import { removalReport, removalWords } from '#cli/reports/removal.ts'
import { fullName } from '#cli/reports/words.ts'
import { AdminMemberDetail, AdminMemberList, GuaranteeRefund, MemberRemoval } from '#shared/contract/admin.ts'
import { Email } from '#shared/contract/fields.ts'

export type ListOptions = SharedOptions & { limit?: string; email?: string }

/** As many as a terminal shows without being asked for more. */
const screenful = 50

export async function listMembers(io: Io, options: ListOptions): Promise<void> {
  const isOnScreen = formatOf(io, options) === 'view'
  const wanted = options.limit === undefined ? (isOnScreen ? screenful : Infinity) : countOf(options.limit)
  const email = options.email === undefined ? undefined : typed(Email, options.email)
  const filter = email === undefined ? {} : { email }
  const { rows, hasMore } = await withClient(io, options, (client) =>
    rowsOf(wanted, (page) => askPage(AdminMemberList, client.api.admin.members.get({ query: { ...page, ...filter } }))),
  )
  await print(io, options, membersReport(rows))
  if (hasMore && options.limit === undefined) {
    await say(io, `These are the first ${rows.length}. For more give --limit, for all --csv or --json.`)
  }
}

export async function showMember(io: Io, options: SharedOptions, idOrEmail: string): Promise<void> {
  if (idOrEmail === '') throw wrongUsage('Please name a member by id or e-mail address.')
  const memberId = encodeURIComponent(idOrEmail)
  const member = await withClient(io, options, (client) =>
    ask(AdminMemberDetail, client.api.admin.member({ memberId }).get()),
  )
  await print(io, options, memberReport(member))
}

export type RefundOptions = SharedOptions & { yes?: true }

export async function refundMember(io: Io, options: RefundOptions, idOrEmail: string): Promise<void> {
  if (idOrEmail === '') throw wrongUsage('Please name a member by id or e-mail address.')
  const memberId = encodeURIComponent(idOrEmail)
  const refund = await withClient(io, options, async (client) => {
    const member = await ask(AdminMemberDetail, client.api.admin.member({ memberId }).get())
    const question = `Give back all that ${fullName(member)} (${member.email}) has paid, and end the membership?`
    await agree(io, question, options.yes === true)
    return ask(GuaranteeRefund, client.api.admin.members({ memberId: member.id }).refund.post())
  })
  await print(io, options, refundReport(refund))
}

export type RemoveOptions = SharedOptions & { dryRun?: boolean; yes?: true }

export async function removeMember(io: Io, options: RemoveOptions, idOrEmail: string): Promise<void> {
  if (idOrEmail === '') throw wrongUsage('Please name a member by id or e-mail address.')
  const { dryRun = false, yes } = options
  const removal = await withClient(io, options, async (client) => {
    const member = client.api.admin.members({ memberId: encodeURIComponent(idOrEmail) })
    const plan = await ask(MemberRemoval, member.delete({}, { query: { dryRun: 'true' } }))
    if (dryRun) return plan
    await agree(io, `Remove ${idOrEmail} for ever? ${removalWords(plan)}`, yes === true)
    return ask(MemberRemoval, member.delete({}, { query: { dryRun: 'false' } }))
  })
  await print(io, options, removalReport(removal))
  if (dryRun && !isForScript(options)) await say(io, 'A dry run: nothing was removed.')
}
