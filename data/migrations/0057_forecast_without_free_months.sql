DROP INDEX `subscriptions_revenue`;--> statement-breakpoint
CREATE INDEX `subscriptions_revenue` ON `subscriptions` (`status`,`tierSlug`,`monthlyNet`,`customerId`,`isNextFree`);