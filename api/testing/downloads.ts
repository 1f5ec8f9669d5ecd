import type { Call } from './world.ts'

/** One of the accountant's files, as the browser downloads it: the password comes first, then a ticket. */
export async function download(call: Call, file: string, query = ''): Promise<Response> {
  return call(`/api/admin/exports/${file}?ticket=${await ticketOf(call, file)}${query && `&${query}`}`)
}

export async function ticketOf(call: Call, file: string): Promise<string> {
  const { ticket } = await (await call('/api/admin/exports/files', { body: { file } })).json()
  return ticket
}
