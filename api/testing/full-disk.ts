const ignore = () => undefined

/** Limits the size of this process's files, which SQLite sees as a full disk. Returns a function that lifts the limit. */
export function fillDisk(bytes: number): () => void {
  // Without a listener, the first such write kills the process. It stays, because a write may still be in progress when the limit
  // is lifted. We need our own: the terminal's library also listens, and exits if it's the only one.
  if (!process.listeners('SIGXFSZ').includes(ignore)) process.on('SIGXFSZ', ignore)
  limitFiles(String(bytes))
  return () => limitFiles('unlimited')
}

function limitFiles(bytes: string): void {
  const { exitCode, stderr } = Bun.spawnSync(['prlimit', '--pid', String(process.pid), `--fsize=${bytes}:unlimited`])
  if (exitCode !== 0) throw new Error(String(stderr))
}
