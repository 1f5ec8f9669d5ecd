ALTER TABLE `call_hours` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `users` ADD `accessVersion` integer DEFAULT 1 NOT NULL;