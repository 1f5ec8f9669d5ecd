CREATE TABLE `tier_upgrades` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`stripeSubscriptionId` text NOT NULL,
	`stripeItemId` text NOT NULL,
	`fromTierSlug` text,
	`tierSlug` text NOT NULL,
	`fromPriceId` text NOT NULL,
	`priceId` text NOT NULL,
	`prorationDate` integer NOT NULL,
	`net` integer NOT NULL,
	`vat` integer NOT NULL,
	`total` integer NOT NULL,
	`openedAt` text NOT NULL,
	`expiresAt` text NOT NULL,
	`startedAt` text,
	`closedAt` text,
	`outcome` text,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "tier_upgrades_tier" CHECK("tierSlug" in ('lite', 'standard', 'xl'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `tier_upgrades_one_open` ON `tier_upgrades` (`customerId`) WHERE "closedAt" is null;--> statement-breakpoint
CREATE INDEX `tier_upgrades_expiry` ON `tier_upgrades` (`expiresAt`) WHERE "closedAt" is null;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `isUpgrade` integer DEFAULT false NOT NULL;