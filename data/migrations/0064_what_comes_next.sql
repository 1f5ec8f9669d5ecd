DROP INDEX `subscriptions_revenue`;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextPayment` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextPaymentKey` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `nextPaymentAskedAt` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `collectionPause` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `collectionResumesAt` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `pausedAt` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `pausedFor` text;--> statement-breakpoint
ALTER TABLE `subscriptions` ADD `pausedAccessUntil` text;--> statement-breakpoint
CREATE INDEX `subscriptions_revenue` ON `subscriptions` (`status`,`tierSlug`,`monthlyNet`,`customerId`,`isNextFree`,`collectionPause`);--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `isKept` integer DEFAULT false NOT NULL;