DROP INDEX `audit_entries_disputed`;--> statement-breakpoint
CREATE INDEX `audit_entries_disputed` ON `audit_entries` (cast("detail" ->> '$.invoice' as text)) WHERE "action" = 'invoice.disputed';