import type { Client } from '#cli/connection.ts'
import { byAddress, findEntry } from '#cli/find-entry.ts'
import { inboxRows } from '#cli/inbox-rows.ts'
import { nameLabel } from '#cli/labels.ts'
import type { PageQuery } from '#cli/list.ts'
import { parseArgument, requestPage, withoutUnset } from '#cli/request.ts'
import { listRow, registersRows } from '#cli/rows.ts'
import { type AdminQuotientOrder, AdminQuotientOrderList, AdminQuotientOrderQuery } from '#shared/contract/quotient.ts'
import { ordersTable } from './quotient.ts'
import { takeInRow } from './take-in.ts'

const pagesOf = ({ api }: Client, query: PageQuery) =>
  requestPage(AdminQuotientOrderList, api.admin['quotient-orders'].get({ query }))

const list = listRow({
  usage: 'list',
  description: 'List Quotient orders, newest first; --csv and --json include the whole form',
  options: [
    ['--show <status>', 'pending, paid, refunded or cancelled'],
    ['--search <words>', 'only with these words'],
  ],
  examples: ['list --show paid', 'list --csv > orders.csv'],
  table: ordersTable,
  pages(call) {
    const given = withoutUnset({ q: call.option('search'), show: call.option('show') })
    const query = parseArgument(AdminQuotientOrderQuery, given)
    return (client, page) => pagesOf(client, { ...query, ...page })
  },
})

const notes = inboxRows({
  kind: () => 'quotient-orders',
  rows: ['notes', 'note', 'reply'],
  argument: 'reference-or-email',
  example: '3C4D-5E6F',
  find: (call) => async (client) => {
    const order = await findEntry<AdminQuotientOrder>(client, {
      noun: 'orders',
      given: call.argument(0),
      matches: byAddress,
      pages: pagesOf,
    })
    return { id: order.id, name: nameLabel(order), email: order.email }
  },
})

export const orderRows = [list, takeInRow, ...notes]

export const registerOrders = registersRows(orderRows)
