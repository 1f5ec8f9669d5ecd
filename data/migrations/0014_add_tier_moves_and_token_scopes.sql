CREATE TABLE `price_moves` (
	`id` text PRIMARY KEY NOT NULL,
	`subscriptionId` text NOT NULL,
	`tierSlug` text NOT NULL,
	`fromNet` integer NOT NULL,
	`toNet` integer NOT NULL,
	`stripePriceId` text NOT NULL,
	`toldAt` text NOT NULL,
	`movesAt` text NOT NULL,
	`notices` integer DEFAULT 1 NOT NULL,
	`closedAt` text,
	`outcome` text,
	FOREIGN KEY (`subscriptionId`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "price_moves_tier" CHECK("tierSlug" in ('lite', 'standard', 'xl')),
	CONSTRAINT "price_moves_outcome" CHECK("outcome" is null or "outcome" in ('moved', 'cancelled', 'tier_changed', 'refused'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `price_moves_one_open` ON `price_moves` (`subscriptionId`) WHERE "closedAt" is null;--> statement-breakpoint
CREATE INDEX `price_moves_due` ON `price_moves` (`movesAt`) WHERE "closedAt" is null;--> statement-breakpoint
ALTER TABLE `api_tokens` ADD `scopes` text DEFAULT '["read","write"]' NOT NULL;--> statement-breakpoint
ALTER TABLE `sessions` ADD `device` text;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `isByInvitation` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `membership_tiers` ADD `version` integer DEFAULT 1 NOT NULL;--> statement-breakpoint
UPDATE `membership_tiers` SET `isByInvitation` = 1 WHERE `slug` = 'xl';
