import type { Context } from '#api/context.ts'
import { commissionLedger } from '#api/db/schema/commission.ts'
import { customers } from '#api/db/schema/customers.ts'
import { creditNotes, invoices } from '#api/db/schema/invoices.ts'
import { ownerAddresses, users } from '#api/db/schema/people.ts'
import { providerInvoices } from '#api/db/schema/provider.ts'
import { subscriptions } from '#api/db/schema/subscriptions.ts'
import { accessOfUser } from '#api/identity/access-queries.ts'
import { foldText as fold } from '#shared/rules/fold-text.ts'
import { londonDay } from '#shared/rules/london.ts'
import type { NaiveList } from './naive-lists.ts'

type Line = typeof commissionLedger.$inferSelect

/** Whose a customer is or was: a member's id, or the customer's own if no member is left. */
function readAccounts({ db }: Context) {
  const people = new Map(
    db
      .select()
      .from(users)
      .all()
      .map((user) => [user.id, user]),
  )
  const accounts = new Map(
    db
      .select()
      .from(customers)
      .all()
      .map(({ id, userId, formerUserId }) => [id, userId ?? formerUserId ?? id]),
  )
  const owners = new Set(
    db
      .select()
      .from(ownerAddresses)
      .all()
      .map(({ userId }) => userId),
  )
  return { people, owners, accountOf: (customerId: string | null) => accounts.get(customerId ?? '') ?? '' }
}

const nameOf = (person: { firstName: string | null; lastName: string | null }) =>
  [person.lastName, person.firstName].filter((part) => part !== null).join(' ')

/** As people may type it, with and without the thousands comma. */
function inPounds(pence: number): string {
  const [pounds, rest] = [Math.floor(pence / 100), String(pence % 100).padStart(2, '0')]
  return `£${pounds}.${rest} £${pounds.toLocaleString('en-GB')}.${rest}`
}

const invoiceList = (member: { id: string; email: string }): NaiveList => ({
  path: '/api/admin/invoices',
  defaultSort: '-issued',
  filters: { member: [member.id, member.email.toUpperCase()], month: ['2026-04', '2026-05', '2026-07'] },
  rows: (ctx) => {
    const { people, accountOf } = readAccounts(ctx)
    const notes = ctx.db.select().from(creditNotes).all()
    return ctx.db
      .select()
      .from(invoices)
      .all()
      .map((row) => {
        const payer = people.get(accountOf(row.customerId))
        const numbers = notes.filter(({ invoiceId }) => invoiceId === row.id).map(({ number }) => number)
        return {
          id: row.id,
          sorts: { issued: row.sequence, name: fold(row.customer.name), gross: row.gross },
          texts: [row.number, ...numbers, row.customer.name, payer?.email ?? null, inPounds(row.gross)],
          isShown: ({ member: asked, month }) =>
            (asked === undefined || payer?.id === asked || payer?.email === asked.toLowerCase()) &&
            (month === undefined || row.taxPoint.startsWith(month)),
        }
      })
  },
})

/** By the ledger: deleted months don't count, and reversed payments don't either. */
function isUnpaidMonth(lines: Line[], today: string): boolean {
  const count = (...of: boolean[]) => of.filter(Boolean).length
  const sum = (of: Line[]) => of.reduce((all, { amount }) => all + amount, 0)
  const settled = (line: Line) => line.kind === 'reversal' && line.isSettlement
  const deleted = (line: Line) => line.kind === 'reversal' && !line.isSettlement && line.providerRefundId === null
  const live = count(...lines.map(({ kind }) => kind === 'invoice')) - count(...lines.map(deleted))
  const payments = count(...lines.map(({ kind }) => kind === 'payment')) - count(...lines.map(settled))
  const due = sum(lines.filter(({ dueOn }) => dueOn <= today))
  return live > 0 && !(due === 0 && (payments > 0 || sum(lines) === 0))
}

const payments: NaiveList = {
  path: '/api/admin/member-payments',
  defaultSort: 'joined',
  filters: { show: ['unpaid'] },
  rows: (ctx) => {
    const { people, owners, accountOf } = readAccounts(ctx)
    const lines = ctx.db.select().from(commissionLedger).all()
    return [...Map.groupBy(lines, ({ customerId }) => accountOf(customerId))]
      .filter(([account]) => !owners.has(account))
      .map(([account, own]) => {
        const { firstName, lastName, email } = people.get(account) ?? removed
        const months = [...Map.groupBy(own, ({ paymentMonth }) => paymentMonth).values()]
        const isUnpaid = months.some((month) => isUnpaidMonth(month, londonDay(ctx.billingNow())))
        return {
          id: account,
          sorts: { joined: account, name: fold(nameOf({ firstName, lastName })) },
          texts: [firstName, lastName, email],
          isShown: ({ show }) => show === undefined || isUnpaid,
        }
      })
  },
}

const removed = { firstName: 'Removed', lastName: 'member', email: '' }

const inactive: NaiveList = {
  path: '/api/admin/inactive-members',
  defaultSort: 'joined',
  rows: (ctx) => {
    const { people, owners, accountOf } = readAccounts(ctx)
    const paid = ctx.db.select().from(providerInvoices).all()
    const payers = new Set(
      paid
        .filter(({ status, amountPaid }) => status === 'paid' && amountPaid > 0)
        .map(({ customerId }) => accountOf(customerId)),
    )
    return [...people.values()].map((user) => ({
      id: user.id,
      sorts: { joined: user.id, name: fold(nameOf(user)) },
      texts: [user.firstName, user.lastName, user.email],
      isShown: () => payers.has(user.id) && !owners.has(user.id) && !accessOfUser(ctx, user.id).hasAccess,
    }))
  },
}

const revenue: NaiveList = {
  path: '/api/admin/mrr',
  defaultSort: 'created',
  rows: ({ db }) =>
    db
      .select()
      .from(subscriptions)
      .all()
      .map(({ id, created, status }) => ({
        id,
        sorts: { created },
        isShown: () => status !== 'canceled' && status !== 'incomplete_expired',
      })),
}

const statement: NaiveList = {
  path: '/api/admin/commission-statements/2026-05',
  defaultSort: 'id',
  rows: ({ db }) =>
    db
      .select()
      .from(commissionLedger)
      .all()
      .map(({ id, month }) => ({ id, sorts: { id }, isShown: () => month === '2026-05' })),
}

export const moneyLists = (member: { id: string; email: string }): NaiveList[] => [
  ...[invoiceList(member), payments, inactive, revenue, statement],
]

/** The numbers in the accountant's file: invoices by tax point, then credit notes by theirs. */
export function naiveExport({ db }: Context, from: string, to: string): string[] {
  const issued = db.select().from(invoices).all()
  const notes = db
    .select()
    .from(creditNotes)
    .all()
    .map((note) => {
      const day = issued.find(({ id }) => id === note.invoiceId)?.taxPoint ?? ''
      return { ...note, taxPoint: note.kind === 'refund' ? note.issuedOn : day }
    })
  return [issued, notes].flatMap((documents: { taxPoint: string; sequence: number; number: string }[]) =>
    documents
      .filter(({ taxPoint }) => from <= taxPoint && taxPoint <= to)
      .sort((one, other) => one.taxPoint.localeCompare(other.taxPoint) || one.sequence - other.sequence)
      .map(({ number }) => number),
  )
}
