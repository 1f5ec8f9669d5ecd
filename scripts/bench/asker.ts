/** Asks for an address every 10 ms until it's told to end. Then it prints how long the slowest answer took, in ms. */
const [, , url = ''] = process.argv
let [slowest, isOver] = [0, false]
process.on('SIGTERM', () => {
  isOver = true
})
// The first builds what later ones use.
await fetch(url)
while (!isOver) {
  const from = performance.now()
  const response = await fetch(url)
  await response.arrayBuffer()
  if (response.status >= 500) throw new Error(`${url} responded with ${response.status}.`)
  slowest = Math.max(slowest, performance.now() - from)
  await Bun.sleep(10)
}
console.log(slowest)
