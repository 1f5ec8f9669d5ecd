/**
 * What every page has: its name for tabs and search engines (the site's own is added), what it is about, and the picture
 * that networks show of it, a path.
 */
export type PageText = { title: string; description: string; image?: string | undefined }
