import type { Sqlite } from '#api/db/open.ts'

/** Random values, real times and attempt counts: only their presence matters. */
const incidental =
  /^(createdAt|updatedAt|syncedAt|openedAt|closedAt|processedAt|receivedAt|expiresAt|recordedAt|lastSeenAt|nextAttemptAt|nextPaymentAskedAt|lapsesAt|frozenAt|messageId|text|html|token|tokenHash|resetToken|resetTokenExpiry|ticketTaken|ticketWritten)$/

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Every row of every table. Two databases with the same history read the same. */
export function allRows(sqlite: Sqlite): string[] {
  const tables = sqlite
    .prepare<[], { name: string }>(`select name from sqlite_master where type = 'table' and name not like 'sqlite%'`)
    .all()
    .filter(({ name }) => !name.startsWith('__') && name !== 'audit_entries')
  return tables
    .flatMap(({ name }) =>
      sqlite
        .prepare<[], Record<string, unknown>>(`select * from ${name}`)
        .all()
        .map((row) => `${name} ${plain(row)}`),
    )
    .sort()
}

const plain = (row: Record<string, unknown>) =>
  JSON.stringify(
    Object.entries(row).map(([column, value]) =>
      incidental.test(column) ? [column, value !== null] : [column, value],
    ),
  ).replace(uuid, 'id')
