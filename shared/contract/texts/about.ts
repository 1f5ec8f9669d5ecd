import type { PageText } from './page.ts'

/** What owners edit of this page. */
export type AboutText = PageText
