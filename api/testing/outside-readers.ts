import { fileReaders, tableReaders } from './outside-files.ts'
import { postReaders } from './outside-posts.ts'
import type { OutsideReader } from './outside-texts.ts'
import { typedReaders } from './outside-typed.ts'
import { webReaders } from './outside-web.ts'

export const outsideReaders: readonly OutsideReader[] = [
  ...postReaders,
  ...tableReaders,
  ...typedReaders,
  ...fileReaders,
  ...webReaders,
]
