CREATE TABLE `customer_credits` (
	`id` text PRIMARY KEY NOT NULL,
	`customerId` text NOT NULL,
	`type` text NOT NULL,
	`amount` integer NOT NULL,
	`invoice` text,
	`created` text NOT NULL,
	`answer` text,
	FOREIGN KEY (`customerId`) REFERENCES `customers`(`id`) ON UPDATE no action ON DELETE restrict,
	CONSTRAINT "customer_credits_answer" CHECK("answer" is null or "answer" in ('money', 'goodwill'))
);
--> statement-breakpoint
CREATE INDEX `customer_credits_customer` ON `customer_credits` (`customerId`);--> statement-breakpoint
ALTER TABLE `invoices` ADD `fromCredit` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `fromCredit` integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE `provider_invoices` ADD `waitsForFix` integer DEFAULT false NOT NULL;--> statement-breakpoint
-- Nothing changes by itself: what was paid from a balance before this version gets its VAT invoice when an owner asks.
UPDATE `provider_invoices` SET "waitsForFix" = 1 WHERE "status" = 'paid' AND "amountPaid" = 0 AND "total" > 0;
