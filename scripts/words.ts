/** `bun scripts/words.ts` prints each text that people read, a line each: where it stands, a tab, the text. */
import { readWords } from './words/extract.ts'

for (const { path, line, text } of readWords()) console.log(`${path}:${line}\t${text}`)
