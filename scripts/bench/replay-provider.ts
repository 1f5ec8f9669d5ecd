/**
 * Replays the sandbox's first response to each request, so its own work isn't measured. A customer id ending in `bench` and a
 * number gets the objects of the customer before the suffix, with the suffix on their ids too.
 */
const [sandboxUrl = ''] = process.argv.slice(2)
const recorded = new Map<string, Promise<string>>()
const objectIds = /\b((?:cus|sub|in|il|pi|py|ch|re|si|seti|pm|inpay|sub_sched)_[A-Za-z0-9]+)(?="|_secret)/g

async function record(path: string, headers: Headers): Promise<string> {
  const response = await fetch(sandboxUrl + path, { headers: { authorization: headers.get('authorization') ?? '' } })
  if (!response.ok) throw new Error(`${path} responded with ${response.status}.`)
  return response.text()
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch({ url, headers, method }) {
    if (method !== 'GET') return new Response('Only GET is replayed.', { status: 405 })
    const { pathname, search } = new URL(url)
    const requested = pathname + search
    const suffix = /bench\d+/.exec(requested)?.[0] ?? ''
    const path = suffix === '' ? requested : requested.replaceAll(suffix, '')
    const response = recorded.get(path) ?? record(path, headers)
    recorded.set(path, response)
    const text = await response
    const body = suffix === '' ? text : text.replaceAll(objectIds, `$1${suffix}`)
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  },
})
console.log(`ready http://127.0.0.1:${server.port}`)
