CREATE TABLE `renewal_notices` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`subscriptionId` text NOT NULL,
	`kind` text NOT NULL,
	`renewsOn` text NOT NULL,
	`amount` integer NOT NULL,
	`cause` text NOT NULL,
	`toldAt` text NOT NULL,
	`subject` text NOT NULL,
	`text` text NOT NULL,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	FOREIGN KEY (`subscriptionId`) REFERENCES `subscriptions`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "renewal_notices_kind" CHECK("kind" in ('year-first', 'year-last', 'reminder', 'full-price', 'cooling-off'))
);
--> statement-breakpoint
CREATE UNIQUE INDEX `renewal_notices_cause_unique` ON `renewal_notices` (`cause`);--> statement-breakpoint
CREATE UNIQUE INDEX `renewal_notices_once` ON `renewal_notices` (`subscriptionId`,`kind`,`renewsOn`);--> statement-breakpoint
CREATE INDEX `renewal_notices_day` ON `renewal_notices` (`renewsOn`);--> statement-breakpoint
CREATE INDEX `renewal_notices_customer` ON `renewal_notices` (`customerId`,`toldAt`);