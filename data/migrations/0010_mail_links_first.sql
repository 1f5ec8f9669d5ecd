DROP INDEX `mail_outbox_due`;--> statement-breakpoint
CREATE INDEX `mail_outbox_due` ON `mail_outbox` (`isRepeatable`,`nextAttemptAt`,`id`) WHERE "status" in ('waiting', 'sending');