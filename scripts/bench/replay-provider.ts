/**
 * Replays the sandbox's first response to each request, so its own work isn't measured. A customer id ending in `bench` and a
 * number gets the objects of the customer before the suffix, with the suffix on their ids too. With `changing`, subscriptions have
 * another description each time.
 */
const [sandboxUrl = '', changing] = process.argv.slice(2)
let changes = 0
let previews = 0

function changed(path: string, text: string): string {
  if (changing === undefined || !path.startsWith('/v1/subscriptions?')) return text
  changes += 1
  const other = text.replace(/"description":\s*null/, `"description":"Change ${changes}"`)
  if (other === text) throw new Error('Nothing to change.')
  return other
}

const recorded = new Map<string, Promise<string>>()
const objectIds = /\b((?:cus|sub|in|il|pi|py|ch|re|si|seti|pm|inpay|sub_sched)_[A-Za-z0-9]+)(?="|_secret)/g

/** The one question that's sent as a form. It changes nothing. `/previews` tells how often it was asked. */
const preview = '/v1/invoices/create_preview'

async function record(path: string, headers: Headers, form: string | null): Promise<string> {
  const authorization = headers.get('authorization') ?? ''
  const asked = form === null ? {} : { method: 'POST', body: new URLSearchParams(form) }
  const response = await fetch(sandboxUrl + path, { headers: { authorization }, ...asked })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
  return response.text()
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { headers, method } = request
    const { pathname, search } = new URL(request.url)
    if (pathname === '/previews') return new Response(String(previews))
    const form = method === 'POST' && pathname === preview ? await request.text() : null
    if (method !== 'GET' && form === null) return new Response('Only GET is replayed.', { status: 405 })
    if (form !== null) previews += 1
    const requested = `${pathname}${search} ${form ?? ''}`
    const suffix = /bench\d+/.exec(requested)?.[0] ?? ''
    const [path = '', body = ''] = (suffix === '' ? requested : requested.replaceAll(suffix, '')).split(' ')
    const response = recorded.get(`${path} ${body}`) ?? record(path, headers, form === null ? null : body)
    recorded.set(`${path} ${body}`, response)
    const text = changed(path, await response)
    return new Response(suffix === '' ? text : text.replaceAll(objectIds, `$1${suffix}`), {
      headers: { 'content-type': 'application/json' },
    })
  },
})
console.log(`ready http://127.0.0.1:${server.port}`)
