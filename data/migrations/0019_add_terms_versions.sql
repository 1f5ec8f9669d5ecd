CREATE TABLE `terms_versions` (
	`version` text PRIMARY KEY NOT NULL,
	`text` text NOT NULL,
	`createdAt` text NOT NULL
);
--> statement-breakpoint
ALTER TABLE `membership_applications` ADD `termsVersion` text REFERENCES terms_versions(version);--> statement-breakpoint
ALTER TABLE `quotient_orders` ADD `termsVersion` text REFERENCES terms_versions(version);--> statement-breakpoint
ALTER TABLE `purchase_attempts` ADD `termsVersion` text REFERENCES terms_versions(version);