/**
 * `bun downloader.ts URL COOKIE COUNT RATE PATH BYTES`: so many phones, each fetching a film in pieces at RATE bytes a second, over
 * and over. Prints a line once all have begun, and goes on until it's killed.
 */
const [, , url = '', cookie = '', ...rest] = process.argv
const [count = 0, rate = 0, path = '', bytes = 0] = rest.map((value, index) => (index === 2 ? value : Number(value)))

const pieceBytes = 4 * 1024 ** 2
let begun = 0

async function fetchPiece(first: number): Promise<void> {
  const last = Math.min(first + pieceBytes, Number(bytes)) - 1
  const response = await fetch(url + path, { headers: { cookie, range: `bytes=${first}-${last}` } })
  if (response.status !== 206 || response.body === null)
    throw new Error(`A piece was answered with ${response.status}.`)
  const start = performance.now()
  let read = 0
  for await (const chunk of response.body) {
    read += chunk.length
    const early = (1000 * read) / Number(rate) - (performance.now() - start)
    if (early > 0) await Bun.sleep(early)
  }
  if (read !== last - first + 1) throw new Error('A piece was cut.')
}

async function download(phone: number): Promise<never> {
  for (let piece = phone; ; piece += 1) {
    await fetchPiece((piece * pieceBytes) % Number(bytes))
    begun += 1
    if (begun === count) console.log('begun')
  }
}

await Promise.all(Array.from({ length: Number(count) }, (_, phone) => download(phone)))
