-- Pence a year where they were pence a month. Months that are closed keep theirs.
DROP INDEX `revenue_changes_month`;--> statement-breakpoint
DROP INDEX `subscriptions_revenue`;--> statement-breakpoint
DROP TRIGGER `revenue_changes_no_update`;--> statement-breakpoint
ALTER TABLE `revenue_changes` RENAME COLUMN "before" TO "beforeYearly";--> statement-breakpoint
ALTER TABLE `revenue_changes` RENAME COLUMN "after" TO "afterYearly";--> statement-breakpoint
ALTER TABLE `subscriptions` RENAME COLUMN "monthlyNet" TO "yearlyNet";--> statement-breakpoint
UPDATE `revenue_changes` SET "beforeYearly" = "beforeYearly" * 12, "afterYearly" = "afterYearly" * 12;--> statement-breakpoint
UPDATE `subscriptions` SET "yearlyNet" = "yearlyNet" * 12;--> statement-breakpoint
CREATE TRIGGER `revenue_changes_no_update` BEFORE UPDATE ON `revenue_changes` BEGIN
	SELECT raise(ABORT, 'Changes of revenue are only ever appended to.');
END;--> statement-breakpoint
CREATE INDEX `revenue_changes_month` ON `revenue_changes` (`month`,`kind`,`tierSlug`,`tierBefore`,`beforeYearly`,`afterYearly`);--> statement-breakpoint
CREATE INDEX `subscriptions_revenue` ON `subscriptions` (`status`,`tierSlug`,`yearlyNet`,`customerId`,`isNextFree`,`collectionPause`);
