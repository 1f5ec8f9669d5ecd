/** `bun plain.ts FILE HEADERS`: a minimal server that responds with the file's bytes, and to a range with as many. HEADERS is JSON. */
const [, , file = '', headers = '{}'] = process.argv
const bytes = await Bun.file(file).bytes()
const fields: Record<string, string> = JSON.parse(headers)
const piece = new Uint8Array(4 * 1024 ** 2)

function answer(request: Request): Response {
  const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('range') ?? '') ?? []
  if (first === undefined) return new Response(bytes, { headers: fields })
  return new Response(piece.subarray(0, Number(last) - Number(first) + 1), { status: 206 })
}

const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: answer })
console.log(`ready http://127.0.0.1:${server.port}`)
