import { emptyLabel, timeLabel } from '#cli/labels.ts'
import { tableOutput } from '#cli/output.ts'
import { request, requireText } from '#cli/request.ts'
import { actRow, type CommandRow, registersRows, showRow } from '#cli/rows.ts'
import { csvFields, type Table } from '#cli/table.ts'
import { type EventGap, EventGapList, ProviderEvent, ProviderEventList } from '#shared/contract/provider-comparison.ts'

const eventsTable: Table<ProviderEvent> = {
  title: 'Events',
  empty: 'No events.',
  columns: [
    { title: 'ID', text: ({ id }) => id, identifies: true },
    { title: 'TYPE', text: ({ type }) => type, minWidth: 14 },
    { title: 'RECEIVED', text: ({ receivedAt }) => timeLabel(receivedAt), dropOrder: 2 },
    {
      title: 'PROCESSED',
      text: ({ processedAt }) => (processedAt === null ? 'waiting' : timeLabel(processedAt)),
      dropOrder: 1,
    },
    { title: 'CUSTOMER', text: ({ customer }) => customer ?? emptyLabel, dropOrder: 3, tone: () => 'muted' },
  ],
  csv: csvFields(['id', 'type', 'customer', 'receivedAt', 'processedAt']),
}

const gapsTable: Table<EventGap> = {
  title: 'Missed webhooks',
  empty: 'Every webhook of the last 30 days arrived.',
  columns: [
    { title: 'ID', text: ({ id }) => id, identifies: true },
    { title: 'TYPE', text: ({ type }) => type, minWidth: 14 },
    { title: 'WHEN', text: ({ createdAt }) => timeLabel(createdAt), dropOrder: 1 },
  ],
  csv: csvFields(['id', 'type', 'createdAt']),
}

export const eventRows: readonly CommandRow[] = [
  showRow({
    usage: 'list',
    description: 'List the newest 200 webhooks from Stripe',
    options: [['--waiting', 'only ones not processed yet']],
    examples: ['list', 'list --waiting'],
    read: ({ options }) => {
      const query = options.waiting ? { waiting: 'true' as const } : {}
      return ({ api }) => request(ProviderEventList, api.admin.events.get({ query }))
    },
    output: (events) => tableOutput(eventsTable, events),
  }),
  showRow({
    usage: 'gaps',
    description: 'List webhooks missed in the last 30 days ("subscriptions reconcile" catches up)',
    examples: ['gaps'],
    read:
      () =>
      ({ api }) =>
        request(EventGapList, api.admin['event-gaps'].get()),
    output: (gaps) => tableOutput(gapsTable, gaps),
  }),
  actRow({
    usage: 'replay <id>',
    description: 'Replay a webhook: sync its customer with Stripe again (safe to repeat)',
    examples: ['replay evt_1Example'],
    act({ argument }) {
      const id = encodeURIComponent(requireText(argument(0), 'Enter the ID of an event.'))
      return async ({ api }) =>
        tableOutput(eventsTable, [await request(ProviderEvent, api.admin.events({ id }).replay.post())])
    },
  }),
]

export const registerEvents = registersRows(eventRows)
