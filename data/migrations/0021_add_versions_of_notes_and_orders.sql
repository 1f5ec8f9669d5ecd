ALTER TABLE `inbox_notes` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE `quotient_orders` ADD `setUpOn` text;--> statement-breakpoint
ALTER TABLE `quotient_orders` ADD `version` integer DEFAULT 1 NOT NULL;