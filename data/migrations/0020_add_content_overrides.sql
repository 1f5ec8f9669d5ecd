CREATE TABLE `content_changes` (
	`seq` integer PRIMARY KEY AUTOINCREMENT NOT NULL,
	`page` text NOT NULL,
	`entry` text NOT NULL,
	`value` text,
	`actor` text NOT NULL,
	`at` text NOT NULL
);
--> statement-breakpoint
CREATE INDEX `content_changes_page` ON `content_changes` (`page`,`seq`);--> statement-breakpoint
CREATE TABLE `content_overrides` (
	`page` text NOT NULL,
	`entry` text NOT NULL,
	`value` text NOT NULL,
	`updatedAt` text NOT NULL,
	PRIMARY KEY(`page`, `entry`)
);
--> statement-breakpoint
CREATE TABLE `site_settings` (
	`name` text PRIMARY KEY NOT NULL,
	`value` text NOT NULL,
	`version` integer DEFAULT 1 NOT NULL,
	`updatedAt` text NOT NULL,
	CONSTRAINT "site_settings_version" CHECK("version" >= 1)
);
