import { Mrr } from '#shared/contract/admin.ts'
import { ask } from '../ask.ts'
import { type SharedOptions, withClient } from '../client.ts'
import type { Io } from '../io.ts'
import { print } from '../output.ts'
import { mrrReport } from '../reports/mrr.ts'

export async function showMrr(io: Io, options: SharedOptions): Promise<void> {
  const mrr = await withClient(io, options, (client) => ask(Mrr, client.api.admin.mrr.get()))
  await print(io, options, mrrReport(mrr))
}
