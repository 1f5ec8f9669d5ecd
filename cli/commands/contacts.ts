import * as v from 'valibot'
import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { parseArgument, requestPage, withoutUnset } from '#cli/request.ts'
import { listRow, registersRows } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { ContactForm } from '#shared/contract/contact.ts'
import { ContactQuery, type ContactRecord, ContactRecordList } from '#shared/contract/inbox-entries.ts'
import { shortReference } from '#shared/rules/id.ts'

const contactsTable: Table<ContactRecord> = {
  isOfPeople: true,
  title: 'Messages',
  empty: 'No messages yet.',
  columns: [
    { title: 'REFERENCE', text: ({ id }) => shortReference(id) },
    { title: 'NAME', text: ({ name }) => name, minWidth: 10, dropOrder: 1 },
    { title: 'EMAIL', text: ({ email }) => email, minWidth: 16, identifies: true },
    { title: 'MESSAGE', text: ({ message }) => message, minWidth: 12 },
    { title: 'TRADE', text: ({ trade }) => trade ?? emptyLabel, dropOrder: 3 },
    { title: 'RECEIVED', text: ({ createdAt }) => timeLabel(createdAt), tone: () => 'muted', dropOrder: 2 },
  ],
  csv: csvFields(['id'], v.keyof(ContactForm).options, ['createdAt']),
}

const list = listRow({
  usage: 'list',
  description: 'List contact form messages, newest first',
  options: [
    ['--show <which>', 'unanswered or spam'],
    ['--search <words>', 'only with these words'],
  ],
  examples: ['list --show unanswered', 'list --csv > messages.csv'],
  table: contactsTable,
  pages(call) {
    const query = parseArgument(ContactQuery, withoutUnset({ q: call.option('search'), show: call.option('show') }))
    return ({ api }, page) => requestPage(ContactRecordList, api.admin.contacts.get({ query: { ...query, ...page } }))
  },
})

export const contactRows = [list]

export const registerContacts = registersRows(contactRows)
