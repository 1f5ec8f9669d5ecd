import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const isText = (name: string) => /\.(js|css|svg|webmanifest|txt)$/.test(name)

export const brotli = (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })

/** Writes a .br and a .gz beside every text file, so the server never compresses static files. */
export function compressFiles(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (!isText(name) || !statSync(file).isFile()) continue
    const bytes = readFileSync(file)
    writeFileSync(`${file}.br`, brotli(bytes))
    writeFileSync(`${file}.gz`, gzipSync(bytes, { level: 9 }))
  }
}
