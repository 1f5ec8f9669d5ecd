ALTER TABLE `inbox_notes` ADD `wish` text;--> statement-breakpoint
CREATE UNIQUE INDEX `inbox_notes_wish` ON `inbox_notes` (`wish`,`aboutId`);--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `provenAt` text;--> statement-breakpoint
ALTER TABLE `sessions` ADD `provenAt` text;