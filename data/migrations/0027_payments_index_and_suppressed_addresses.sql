CREATE TABLE `suppressed_addresses` (
	`address` text PRIMARY KEY NOT NULL,
	`reason` text DEFAULT '' NOT NULL,
	`since` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `provider_invoices_created` ON `provider_invoices` (`created`,`id`);