/**
 * A provider that stands still: what the sandbox answers once is answered ever after, without its work. A customer that is
 * called like another with `bench` and a number behind it has the same objects, with the number behind their ids too.
 */
const [source = ''] = process.argv.slice(2)
const answers = new Map<string, Promise<string>>()
const ownIds = /\b((?:cus|sub|in|il|pi|py|ch|re|si|seti|pm|inpay|sub_sched)_[A-Za-z0-9]+)(?="|_secret)/g

async function learn(path: string, headers: Headers): Promise<string> {
  const response = await fetch(source + path, { headers: { authorization: headers.get('authorization') ?? '' } })
  if (!response.ok) throw new Error(`${path} answered ${response.status}.`)
  return response.text()
}

const server = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch({ url, headers, method }) {
    if (method !== 'GET') return new Response('Nothing is changed here.', { status: 405 })
    const { pathname, search } = new URL(url)
    const asked = pathname + search
    const suffix = /bench\d+/.exec(asked)?.[0] ?? ''
    const path = suffix === '' ? asked : asked.replaceAll(suffix, '')
    const answer = answers.get(path) ?? learn(path, headers)
    answers.set(path, answer)
    const text = await answer
    const body = suffix === '' ? text : text.replaceAll(ownIds, `$1${suffix}`)
    return new Response(body, { headers: { 'content-type': 'application/json' } })
  },
})
console.log(`ready http://127.0.0.1:${server.port}`)
