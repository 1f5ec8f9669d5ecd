import { eq } from 'drizzle-orm'
import { preparedQuery } from '#api/db/query.ts'
import { siteSettings } from '#api/db/schema/site-settings.ts'

export const storedSettings = preparedQuery()((db) => db.select().from(siteSettings))

export const storedSetting = preparedQuery<{ name: string }>()((db, { name }) =>
  db.select().from(siteSettings).where(eq(siteSettings.name, name)),
)
