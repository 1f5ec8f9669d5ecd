/** Ports nothing listens on. All are held until all are known, or two might be the same. */
export function freePorts(count: number): string[] {
  const listeners = Array.from({ length: count }, () =>
    Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } }),
  )
  for (const listener of listeners) listener.stop(true)
  return listeners.map(({ port }) => String(port))
}
