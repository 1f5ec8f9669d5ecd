ALTER TABLE `provider_invoices` ADD `due` integer;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `paidBy` text;