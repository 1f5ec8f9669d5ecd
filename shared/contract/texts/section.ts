/** A section of a page: its name in the margin, its heading, and what stands under that. */
export type SectionText = { name: string; heading: string; lead?: string | undefined }

/** Something with a name and a few sentences to it. */
export type ItemText = { title: string; text: string }
