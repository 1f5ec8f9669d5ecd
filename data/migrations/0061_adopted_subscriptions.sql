CREATE TABLE `adopted_subscriptions` (
	`id` text PRIMARY KEY NOT NULL,
	`stripeCustomerId` text NOT NULL,
	`stripePriceId` text NOT NULL,
	`tierSlug` text NOT NULL,
	`isAccountMade` integer DEFAULT false NOT NULL,
	`adoptedAt` text NOT NULL,
	CONSTRAINT "adopted_subscriptions_tier" CHECK("tierSlug" in ('lite', 'standard', 'xl'))
);
--> statement-breakpoint
CREATE INDEX `adopted_subscriptions_customer` ON `adopted_subscriptions` (`stripeCustomerId`);--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `isHistory` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `revenue_changes` ADD `isHistory` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `chargeTotal` integer;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `chargeMonths` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
DROP TRIGGER `revenue_changes_no_delete`;--> statement-breakpoint
-- An adoption can be undone until its month is frozen, and with it what Stripe recorded before.
CREATE TRIGGER `revenue_changes_no_delete` BEFORE DELETE ON `revenue_changes`
WHEN old.isHistory = 0 OR exists (SELECT 1 FROM `revenue_months` WHERE month = old.month) BEGIN
	SELECT raise(ABORT, 'Changes of revenue are only ever appended to.');
END;
