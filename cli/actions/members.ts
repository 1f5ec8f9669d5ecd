import { type AdminMember, AdminMemberDetail, AdminMemberList, GuaranteeRefund } from '#shared/contract/admin.ts'
import { Email } from '#shared/contract/fields.ts'
import { ask, askPage, typed } from '../ask.ts'
import { type Client, type SharedOptions, withClient } from '../client.ts'
import { wrongUsage } from '../exit.ts'
import { type Io, say } from '../io.ts'
import { formatOf, print } from '../output.ts'
import { agree } from '../prompt.ts'
import { memberReport } from '../reports/member.ts'
import { membersReport } from '../reports/members.ts'
import { refundReport } from '../reports/refund.ts'
import { fullName } from '../reports/words.ts'

export type ListOptions = SharedOptions & { limit?: string; email?: string }

/** As many as one call gives at most. */
const largestPage = 1000
/** As many as a terminal shows without being asked for more. */
const screenful = 50

export async function listMembers(io: Io, options: ListOptions): Promise<void> {
  const isOnScreen = formatOf(io, options) === 'view'
  const wanted = options.limit === undefined ? (isOnScreen ? screenful : Infinity) : countOf(options.limit)
  const email = options.email === undefined ? undefined : typed(Email, options.email)
  const { rows, hasMore } = await withClient(io, options, (client) => memberPages(client, wanted, email))
  await print(io, options, membersReport(rows))
  if (hasMore && options.limit === undefined) {
    await say(io, `These are the first ${rows.length}. For more give --limit, for all --csv or --json.`)
  }
}

function countOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw wrongUsage('--limit takes a whole number from 1.')
  return Number(text)
}

/** Follows the pages until there are enough. */
async function memberPages(client: Client, wanted: number, email: string | undefined) {
  const rows: AdminMember[] = []
  let cursor: string | null = null
  do {
    const limit = Math.min(largestPage, wanted - rows.length)
    const query = { limit, ...(cursor === null ? {} : { cursor }), ...(email === undefined ? {} : { email }) }
    const page: { value: typeof rows; next: string | null } = await askPage(
      AdminMemberList,
      client.api.admin.members.get({ query }),
    )
    rows.push(...page.value)
    if (page.next === cursor) break
    cursor = page.next
  } while (cursor !== null && rows.length < wanted)
  return { rows, hasMore: cursor !== null }
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
