import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { exitCodes, Stop } from './exit.ts'
import { type Io, write } from './io.ts'

/** Asks for a line on the terminal. `isSecret` shows nothing of what is typed. */
export async function askLine(io: Io, question: string, { isSecret = false } = {}): Promise<string> {
  await write(io.stderr, question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: io.stdin, output: isSecret ? nowhere : io.stderr, terminal: true })
  try {
    return await new Promise((resolve, reject) => {
      const cancel = () => reject(new Stop(exitCodes.cancelled))
      lines.once('line', resolve)
      lines.once('SIGINT', cancel)
      lines.once('close', cancel)
    })
  } finally {
    lines.close()
    if (isSecret) await write(io.stderr, '\n')
  }
}

/** All of standard input, without the line break at its end. */
export async function readAll(io: Io): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '')
}
