ALTER TABLE `email_changes` ADD `reportHash` text;--> statement-breakpoint
ALTER TABLE `email_changes` ADD `reportedAt` text;--> statement-breakpoint
ALTER TABLE `email_changes` ADD `decidedAt` text;--> statement-breakpoint
CREATE UNIQUE INDEX `email_changes_reportHash_unique` ON `email_changes` (`reportHash`);--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `provenAgainAt` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `provenAgainAt` text;