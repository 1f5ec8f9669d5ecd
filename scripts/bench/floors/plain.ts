/** `bun plain.ts FILE HEADERS`: a minimal server that responds with the file's bytes. HEADERS is JSON. */
const [, , file = '', headers = '{}'] = process.argv
const bytes = await Bun.file(file).bytes()
const fields: Record<string, string> = JSON.parse(headers)
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(bytes, { headers: fields }) })
console.log(`ready http://127.0.0.1:${server.port}`)
