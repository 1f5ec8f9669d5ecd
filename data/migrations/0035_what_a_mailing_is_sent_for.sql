ALTER TABLE `mailings` ADD `cause` text;--> statement-breakpoint
CREATE UNIQUE INDEX `mailings_cause_unique` ON `mailings` (`cause`);