import { withClient } from './client.ts'
import type { Client } from './connection.ts'
import { usageError } from './exit-codes.ts'
import { chosenFields } from './output.ts'
import { withProgress } from './progress.ts'
import type { Call, CommandRow, Described } from './rows.ts'

/** Bytes for another program or a printer, such as a PDF: written as they arrive, whatever the format. */
type FileRow = Described & {
  write(call: Call): (client: Client) => Promise<void>
  instead?: string
}

export const fileRow = ({ write, instead, ...row }: FileRow): CommandRow => ({
  ...row,
  ...(instead === undefined ? {} : { hasOneFormat: true }),
  kind: 'file',
  async run(call) {
    const { io, options } = call
    if (instead !== undefined) assertWhole(call, instead)
    const work = write(call)
    const run = () => withClient(io, options, work)
    await (io.isTTY.stdout ? run() : withProgress(io, options, 'Writing', run))
  },
})

function assertWhole({ options: { json, jq, csv } }: Call, instead: string): void {
  if (json === undefined && jq === undefined && chosenFields(csv) === null) return
  throw usageError(`This is always a full CSV. For JSON or some fields: alliance ${instead}`)
}
