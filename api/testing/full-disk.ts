const ignore = () => undefined

/**
 * From here on no file of this process grows past so many bytes, which SQLite meets as it meets a full disk. Returns what makes
 * room again.
 */
export function fillDisk(bytes: number): () => void {
  // Without a listener, the first such write ends the process; it stays, since one may still be under way when room is made.
  // One of ours: the terminal's library listens too, and ends the process where nobody else does.
  if (!process.listeners('SIGXFSZ').includes(ignore)) process.on('SIGXFSZ', ignore)
  limitFiles(String(bytes))
  return () => limitFiles('unlimited')
}

function limitFiles(bytes: string): void {
  const { exitCode, stderr } = Bun.spawnSync(['prlimit', '--pid', String(process.pid), `--fsize=${bytes}:unlimited`])
  if (exitCode !== 0) throw new Error(String(stderr))
}
