import type { PageText } from './page.ts'

/** What owners edit of this page. */
export type HealthText = PageText & { heading: string; lead: string }
