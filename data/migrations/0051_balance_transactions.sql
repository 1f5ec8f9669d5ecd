CREATE TABLE `balance_transactions` (
	`id` text PRIMARY KEY NOT NULL,
	`kind` text NOT NULL,
	`amount` integer NOT NULL,
	`fee` integer NOT NULL,
	`availableOn` text NOT NULL,
	`createdOn` text NOT NULL,
	`source` text
);
--> statement-breakpoint
CREATE INDEX `balance_transactions_day` ON `balance_transactions` (`createdOn`,`kind`,`amount`,`fee`);