ALTER TABLE `credit_notes` ADD `takesPlaceOf` text;--> statement-breakpoint
ALTER TABLE `invoices` ADD `takesPlaceOf` text;--> statement-breakpoint
ALTER TABLE `skipped_numbers` ADD `documents` text;