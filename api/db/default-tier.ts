import { type SQL, sql } from 'drizzle-orm'
import { membershipTiers } from './schema/tiers.ts'

const { slug, isDefault, isActive, orderIndex } = membershipTiers

/** The tier that's meant where nobody named one. Nested in another `sql`, or Drizzle drops the table names. */
export const defaultTier: SQL<string> =
  sql`${sql`(select ${slug} from ${membershipTiers} order by ${isDefault} desc, ${isActive} desc, ${orderIndex} limit 1)`}`.mapWith(
    slug,
  )
