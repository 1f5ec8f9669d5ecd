DROP INDEX `revenue_changes_month`;--> statement-breakpoint
ALTER TABLE `revenue_changes` ADD `tierBefore` text;--> statement-breakpoint
CREATE INDEX `revenue_changes_month` ON `revenue_changes` (`month`,`kind`,`tierSlug`,`tierBefore`,`before`,`after`);