import type { Sqlite } from '#api/db/open.ts'

/** Made by chance, or by the machine's clock, or a count of tries: whether they are there matters, not what they are. */
const incidental =
  /^(createdAt|updatedAt|syncedAt|openedAt|closedAt|processedAt|receivedAt|expiresAt|recordedAt|lastSeenAt|nextAttemptAt|frozenAt|messageId|text|html|token|tokenHash|resetToken|resetTokenExpiry|ticketTaken|ticketWritten)$/

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g

/** Every row of every table, such that two databases to which the same happened read the same. */
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
